%! run: select_sees_a_snapshot:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 19, transitions = 25, depth = 9
%! stateless(optimal): holds, interleavings = 2
%% One select is atomic: it sees both halves of an insert or none.
-module(select_sees_a_snapshot).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    spawn(fun() -> ets:insert(T, [{a, 1}, {b, 1}]), Self ! done end),
    N = length(ets:select(T, [{{'_', '$1'}, [{'>', '$1', 0}], ['$1']}])),
    receive done -> ok end,
    ?assert(N =:= 0 orelse N =:= 2).
