%! run: two_clients_with_references:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 120, transitions = 254, depth = 19
%! stateless(optimal): holds, interleavings = 2
%% Each client recognises its own answer by the reference in it.
-module(two_clients_with_references).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Server = spawn(fun() -> serve(2) end),
    [spawn(fun() -> Self ! {N, ask(Server, N)} end) || N <- [1, 2]],
    ?assertEqual(2, receive {1, A} -> A end),
    ?assertEqual(4, receive {2, B} -> B end).

serve(0) -> ok;
serve(K) ->
    receive {From, Ref, N} -> From ! {Ref, 2 * N} end,
    serve(K - 1).

ask(Server, N) ->
    Ref = make_ref(),
    Server ! {self(), Ref, N},
    receive {Ref, Answer} -> Answer end.
