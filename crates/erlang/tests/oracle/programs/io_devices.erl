%% Printing to a named device: the group leader itself.
-module(io_devices).
-export([main/0]).

main() ->
    Leader = group_leader(),
    io:format(Leader, "to ~p~n", [leader]),
    io:put_chars(standard_io, "standard_io\n"),
    io:nl(Leader),
    io:fwrite(standard_io, "~w~n", [x]),
    io:format(standard_io, "plain~n", []).
