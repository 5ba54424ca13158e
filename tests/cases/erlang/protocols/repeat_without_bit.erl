%! run: repeat_without_bit:test/0
%! verdict: assertion
%% Without the bit a repeated item is taken for a new one.
-module(repeat_without_bit).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    R = spawn(fun() -> receiver([], Self) end),
    send(R, [a, b]),
    R ! stop,
    receive {received, L} -> ?assertEqual([a, b], L) end.

send(_, []) -> ok;
send(R, [X | Rest]) ->
    R ! {self(), X},
    receive ack -> ok
    after 10 -> R ! {self(), X}, receive ack -> ok end
    end,
    send(R, Rest).

receiver(Got, Boss) ->
    receive
        {P, X} -> P ! ack, receiver([X | Got], Boss);
        stop -> Boss ! {received, lists:reverse(Got)}
    end.
