%! run: double_checked:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 281, transitions = 618, depth = 28
%! stateless(optimal): holds, interleavings = 8
%% Checked again under the lock, the value is made once.
-module(double_checked).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {made, 0}),
    Self = self(),
    L = spawn(fun() -> lock() end),
    [spawn(fun() ->
        case ets:lookup(T, value) of
            [] ->
                L ! {lock, self()}, receive locked -> ok end,
                case ets:lookup(T, value) of
                    [] -> ets:update_counter(T, made, 1), ets:insert(T, {value, 42});
                    [_] -> ok
                end,
                L ! unlock;
            [_] -> ok
        end,
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    L ! stop,
    ?assertEqual(1, ets:lookup_element(T, made, 2)).

lock() ->
    receive {lock, P} -> P ! locked, receive unlock -> lock() end; stop -> ok end.
