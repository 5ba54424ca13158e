%! run: select_replace_of_a_bag:test/0
%! verdict: holds
%% What select_replace makes of an object of a bag could be there already: Erlang refuses it, and takes a duplicate bag.
-module(select_replace_of_a_bag).
-export([test/0]).

test() ->
    Spec = [{{k, '$1'}, [], [{{k, {'+', '$1', 1}}}]}],
    [B, D] = [ets:new(t, [Type]) || Type <- [bag, duplicate_bag]],
    [ets:insert(T, [{k, 0}, {k, 1}]) || T <- [B, D]],
    {'EXIT', {badarg, _}} = (catch ets:select_replace(B, Spec)),
    2 = ets:select_replace(D, Spec),
    [{k, 1}, {k, 2}] = lists:sort(ets:tab2list(D)).
