-module(info_items).
-export([main/0]).

main() ->
    t(1, fun() -> process_info(self(), registered_name) end),
    t(2, fun() -> process_info(self(), links) end),
    t(3, fun() -> process_info(self(), monitors) end),
    t(4, fun() -> process_info(self(), trap_exit) end),
    t(5, fun() -> process_info(self(), priority) end),
    t(6, fun() -> process_info(self(), status) end),
    t(7, fun() -> process_info(self(), message_queue_len) end),
    t(8, fun() -> process_info(self(), messages) end),
    t(9, fun() -> process_info(self(), error_handler) end),
    t(10, fun() -> process_info(self(), suspending) end),
    t(11, fun() -> process_info(self(), [links, trap_exit]) end),
    t(12, fun() -> process_info(self(), []) end),
    t(13, fun() -> process_info(self(), nonsense) end),
    t(14, fun() -> process_info(self(), [nonsense]) end),
    t(15, fun() -> process_info(nobody) end),
    t(16, fun() -> process_info(5) end),
    t(17, fun() -> is_list(process_info(self())) end),
    t(18, fun() -> [is_integer(element(2, process_info(self(), I))) || I <- [memory, reductions, heap_size, stack_size, total_heap_size, message_queue_len]] end),
    t(19, fun() -> element(1, process_info(self(), current_function)) end),
    t(20, fun() -> element(1, process_info(self(), current_stacktrace)) end),
    t(21, fun() -> element(1, process_info(self(), dictionary)) end),
    t(22, fun() -> begin register(me_here, self()), R = process_info(self(), registered_name), unregister(me_here), R end end),
    t(23, fun() -> begin self() ! a, self() ! b, R = process_info(self(), messages), receive a -> ok end, receive b -> ok end, R end end),
    t(24, fun() -> begin process_flag(trap_exit, true), R = process_info(self(), trap_exit), process_flag(trap_exit, false), R end end),
    t(25, fun() -> begin put(k, v), {dictionary, D} = process_info(self(), dictionary), erase(k), lists:member({k, v}, D) end end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

