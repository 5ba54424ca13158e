%% What is written of numbers.
-module(io_lib_format).
-export([fwrite_g/1]).

fwrite_g(Float) -> lists:flatten(io_lib:write(Float)).
