%% The old catch, with all classes.
-module(catch_forms).
-export([main/0]).

main() ->
    p(catch 5),
    p(catch throw(t)),
    p(catch exit(e)),
    {'EXIT', {r, S}} = (catch error(r)),
    p(is_list(S)),
    X = (catch throw({found, 3})),
    p(X),
    p(case catch list_to_integer("zz") of {'EXIT', {badarg, _}} -> bad; N -> N end),
    p([catch throw(A) || A <- [1, 2]]),
    p((catch throw(10)) + 1).

p(X) -> io:format("~p~n", [X]).
