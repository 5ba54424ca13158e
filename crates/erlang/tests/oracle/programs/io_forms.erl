%% The forms of output.
-module(io_forms).
-export([main/0]).

main() ->
    io:fwrite("plain~n"),
    io:write({a, "b"}), io:nl(),
    io:write(standard_io, [c]), io:nl(standard_io),
    io:put_chars("chars\n"), io:put_chars(standard_io, <<"binary\n">>),
    io:format(standard_io, "~s~n", ["device"]),
    io:fwrite(standard_io, "~w~n", [device]).
