%! run: generator_in_order:all_test_/0
%! verdict: holds
%% Each test has a process of its own: names and tables of one are gone in the next.
-module(generator_in_order).
-include_lib("eunit/include/eunit.hrl").

all_test_() ->
    Own = ?_test(begin register(name, self()), ets:new(table, [named_table]) end),
    {foreach, fun() -> ok end, fun(ok) -> ok end, [fun(ok) -> Own end, {timeout, 10, Own}, {inorder, [Own]}]}.
