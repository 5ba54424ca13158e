%% What programs call beneath the module file, to be quicker; here it is the same.
-module(prim_file).
-export([delete/1, rename/2, list_dir/1, read_file/1, write_file/2, make_dir/1, del_dir/1, read_file_info/1,
         read_file_info/2, read_link_info/1, read_link_info/2, write_file_info/2, write_file_info/3,
         list_dir_all/1, make_link/2, make_symlink/2, read_link/1, get_cwd/0, set_cwd/1]).

delete(Name) -> file:delete(Name).
rename(From, To) -> file:rename(From, To).
list_dir(Name) -> file:list_dir(Name).
read_file(Name) -> file:read_file(Name).
write_file(Name, Data) -> file:write_file(Name, Data).
make_dir(Name) -> file:make_dir(Name).
del_dir(Name) -> file:del_dir(Name).
read_file_info(Name) -> file:read_file_info(Name).
read_file_info(Name, Options) -> file:read_file_info(Name, Options).
read_link_info(Name) -> file:read_link_info(Name).
read_link_info(Name, Options) -> file:read_link_info(Name, Options).
write_file_info(Name, Info) -> file:write_file_info(Name, Info).
write_file_info(Name, Info, Options) -> file:write_file_info(Name, Info, Options).
list_dir_all(Name) -> file:list_dir_all(Name).
make_link(Name, New) -> file:make_link(Name, New).
make_symlink(Name, New) -> file:make_symlink(Name, New).
read_link(Name) -> file:read_link(Name).
get_cwd() -> file:get_cwd().
set_cwd(Name) -> file:set_cwd(Name).
