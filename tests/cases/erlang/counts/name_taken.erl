%! run: name_taken:test/0
%! verdict: abnormal_exit
%! stateful(bfs): abnormal_exit, states = 70, transitions = 125, depth = 9
%! stateless(optimal): abnormal_exit, interleavings = 2
%% Both may find the name free; the second to register fails.
-module(name_taken).
-export([test/0]).
-concuerror_options([{ignore_error, deadlock}]).

test() ->
    Server = fun() -> receive stop -> ok end end,
    Ensure = fun() ->
        case whereis(server) of
            undefined -> register(server, spawn(Server));
            _ -> ok
        end
    end,
    spawn(Ensure), spawn(Ensure).
