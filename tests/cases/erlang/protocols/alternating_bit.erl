%! run: alternating_bit:test/0
%! verdict: holds
%% A sender that repeats on timeout and a receiver that drops repetitions by their bit: each item once, in order.
-module(alternating_bit).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    R = spawn(fun() -> receiver(0, [], Self) end),
    send(R, [{0, a}, {1, b}]),
    R ! stop,
    receive {received, L} -> ?assertEqual([a, b], L) end.

send(_, []) -> ok;
send(R, [{Bit, X} | Rest]) ->
    R ! {self(), Bit, X},
    receive {ack, Bit} -> ok
    after 10 -> R ! {self(), Bit, X}, receive {ack, Bit} -> ok end
    end,
    send(R, Rest).

receiver(Bit, Got, Boss) ->
    receive
        {P, Bit, X} -> P ! {ack, Bit}, receiver(1 - Bit, [X | Got], Boss);
        {P, Old, _} -> P ! {ack, Old}, receiver(Bit, Got, Boss);
        stop -> Boss ! {received, lists:reverse(Got)}
    end.
