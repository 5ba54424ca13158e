%! run: two_locks:test/0
%! verdict: deadlock
%! stateful(bfs): deadlock, states = 75, transitions = 118, depth = 15
%! stateless(optimal): deadlock, interleavings = 1
%% Two processes take two locks in different orders.
-module(two_locks).
-export([test/0]).
-concuerror_options([{treat_as_normal, killed}]).

test() ->
    A = lock(), B = lock(), Main = self(),
    spawn(fun() -> take(A), take(B), Main ! done end),
    spawn(fun() -> take(B), take(A), Main ! done end),
    receive done -> ok end,
    receive done -> ok end,
    exit(A, kill), exit(B, kill).

lock() -> spawn(fun() -> receive {take, P} -> P ! taken end, receive never -> ok end end).
take(Lock) -> Lock ! {take, self()}, receive taken -> ok end.
