-module(errors_of_binaries_and_maps).
-export([main/0]).

main() ->
    t(1, fun() -> byte_size(id(a)) end),
    t(2, fun() -> bit_size(id([])) end),
    t(3, fun() -> binary_part(id(<<1,2>>), 1, 5) end),
    t(4, fun() -> binary_part(id(<<1,2>>), {2, -1}) end),
    t(5, fun() -> split_binary(id(<<1>>), 2) end),
    t(6, fun() -> binary:at(id(<<1>>), 1) end),
    t(7, fun() -> binary:part(id(<<1>>), 0, 2) end),
    t(8, fun() -> binary:split(id(a), <<1>>) end),
    t(9, fun() -> binary:match(id(<<1>>), <<>>) end),
    t(10, fun() -> binary:replace(id(<<1>>), <<1>>, x) end),
    t(11, fun() -> binary:copy(id(<<1>>), -1) end),
    t(12, fun() -> binary:first(id(<<>>)) end),
    t(13, fun() -> binary:decode_unsigned(id(a)) end),
    t(14, fun() -> binary:encode_unsigned(id(-1)) end),
    t(15, fun() -> list_to_binary(id([256])) end),
    t(16, fun() -> list_to_binary(id([a])) end),
    t(17, fun() -> iolist_to_binary(id([1 | 2])) end),
    t(18, fun() -> iolist_size(id([a])) end),
    t(19, fun() -> <<(id(a))>> end),
    t(20, fun() -> <<(id(a))/binary>> end),
    t(21, fun() -> <<(id(1))/float>> end),
    t(22, fun() -> <<(id(a))/float>> end),
    t(23, fun() -> <<(id(1.5))/integer>> end),
    t(24, fun() -> <<(id(<<1:3>>))/binary>> end),
    t(25, fun() -> <<1:(id(-1))>> end),
    t(26, fun() -> <<(id(1114112))/utf8>> end),
    t(27, fun() -> <<(id(55296))/utf8>> end),
    t(28, fun() -> map_size(id(a)) end),
    t(29, fun() -> map_get(a, id(#{})) end),
    t(30, fun() -> map_get(a, id(b)) end),
    t(31, fun() -> (id(#{}))#{a := 1} end),
    t(32, fun() -> (id(x))#{a => 1} end),
    t(33, fun() -> maps:get(a, id(#{})) end),
    t(34, fun() -> maps:get(a, id(x)) end),
    t(35, fun() -> maps:update(a, 1, id(#{})) end),
    t(36, fun() -> maps:find(a, id(x)) end),
    t(37, fun() -> maps:keys(id(x)) end),
    t(38, fun() -> maps:merge(id(x), #{}) end),
    t(39, fun() -> maps:merge(#{}, id(x)) end),
    t(40, fun() -> maps:from_list(id([a])) end),
    t(41, fun() -> maps:from_list(id([{a, 1} | b])) end),
    t(42, fun() -> maps:fold(x, 0, id(#{a => 1})) end),
    t(43, fun() -> maps:map(x, id(#{})) end),
    t(44, fun() -> maps:with(id(a), #{}) end),
    t(45, fun() -> maps:without([a], id(x)) end),
    t(46, fun() -> maps:remove(a, id(x)) end),
    t(47, fun() -> maps:take(a, id(#{})) end),
    t(48, fun() -> maps:next(id(x)) end),
    t(49, fun() -> maps:filter(fun(_) -> true end, #{a => 1}) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

id(X) -> X.
