%% What programs call beneath the module file, to be quicker; here it is the same.
-module(prim_file).
-export([delete/1, rename/2, list_dir/1, read_file/1, write_file/2, make_dir/1, del_dir/1, read_file_info/1,
         read_file_info/2, get_cwd/0]).

delete(Name) -> file:delete(Name).
rename(From, To) -> file:rename(From, To).
list_dir(Name) -> file:list_dir(Name).
read_file(Name) -> file:read_file(Name).
write_file(Name, Data) -> file:write_file(Name, Data).
make_dir(Name) -> file:make_dir(Name).
del_dir(Name) -> file:del_dir(Name).
read_file_info(Name) -> file:read_file_info(Name).
read_file_info(Name, Options) -> file:read_file_info(Name, Options).
get_cwd() -> file:get_cwd().
