%% Timers, shared cells and aliases at once; only commutation is looked at.
-module(mix_timers).
-export([main/0]).

main() ->
    Main = self(),
    C = counters:new(2, []),
    A = atomics:new(1, []),
    All = [
        [fun() -> T = erlang:send_after(5, Main, tick), erlang:read_timer(T), erlang:cancel_timer(T) end,
         fun() -> counters:add(C, 1, 1) end],
        [fun() -> T = erlang:start_timer(5, self(), tock), receive {timeout, T, tock} -> ok after 3 -> late end,
                  erlang:cancel_timer(T) end, fun() -> counters:put(C, 1, 7) end],
        [fun() -> counters:add(C, 1, 2) end, fun() -> counters:get(C, 1) end, fun() -> atomics:add_get(A, 1, 1) end],
        [fun() -> atomics:compare_exchange(A, 1, 0, 5) end, fun() -> persistent_term:put(k, 1) end,
         fun() -> persistent_term:get(k) end],
        [fun() -> persistent_term:put(k, 1) end, fun() -> persistent_term:erase(k) end,
         fun() -> persistent_term:get() end],
        [fun() -> L = alias([reply]), R = alias(), S = self(),
                  spawn(fun() -> L ! one, R ! two end), spawn(fun() -> L ! three, S ! four end),
                  receive one -> ok after 5 -> late end, unalias(R) end],
        [fun() -> erlang:send_after(1, gone, x), timer:sleep(1) end,
         fun() -> R = spawn_request(fun() -> ok end, [monitor]), receive {spawn_reply, R, _, _} -> ok end end]
    ],
    [spawn(fun() -> [catch F() || F <- Fs] end) || Fs <- All],
    receive tick -> ok end.
