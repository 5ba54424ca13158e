-module(spawn_requests).
-export([main/0]).

main() ->
    t(1, fun() -> begin R = spawn_request(fun() -> ok end), receive {spawn_reply, R, ok, P} -> is_pid(P) end end end),
    t(2, fun() -> begin R = spawn_request(fun() -> ok end, [{reply_tag, told}]), receive {told, R, ok, P} -> is_pid(P) end end end),
    t(3, fun() -> begin R = spawn_request(fun() -> ok end, [{reply, no}]), receive {spawn_reply, R, _, _} -> told after 10 -> not_told end end end),
    t(4, fun() -> begin R = spawn_request(fun() -> exit(bad) end, [monitor]), receive {spawn_reply, R, ok, P} -> receive {'DOWN', R, process, P, W} -> W end end end end),
    t(5, fun() -> begin R = spawn_request(erlang, self, [], []), receive {spawn_reply, R, ok, P} -> is_pid(P) end end end),
    t(6, fun() -> spawn_request(x) end),
    t(7, fun() -> spawn_request(fun() -> ok end, bad) end),
    t(8, fun() -> spawn_request_abandon(make_ref()) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

