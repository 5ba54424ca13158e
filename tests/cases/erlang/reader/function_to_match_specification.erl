%! run: function_to_match_specification:test/0
%! verdict: holds
%% ets:fun2ms with a fun written out is a match specification.
-module(function_to_match_specification).
-export([test/0]).
-include_lib("stdlib/include/ms_transform.hrl").
-record(item, {name, price = 0, tags = []}).

test() ->
    T = ets:new(t, [ordered_set, {keypos, #item.name}]),
    ets:insert(T, [#item{name = a, price = 1}, #item{name = b, price = 20, tags = [x]}, #item{name = c, price = 30}]),
    Limit = 10,
    [b, c] = ets:select(T, ets:fun2ms(fun(#item{name = N, price = P}) when P > Limit -> N end)),
    [{a, 2}, {b, 21}] = ets:select(T, ets:fun2ms(fun(#item{name = N, price = P}) when N =:= a; P + 1 < 25 -> {N, P + 1} end)),
    [#item{name = b}] = ets:select(T, ets:fun2ms(fun(#item{tags = [_ | _]} = Whole) -> Whole end)),
    [[a, 1, []], [c, 30, []]] = ets:select(T, ets:fun2ms(fun({item, N, P, []}) -> [N, P, []] end)),
    1 = ets:select_delete(T, ets:fun2ms(fun(I) when I#item.name =:= c, is_record(I, item) -> true end)) - 0,
    2 = ets:info(T, size).
