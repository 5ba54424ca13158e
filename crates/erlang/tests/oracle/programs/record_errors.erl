%% Wrong records give badrecord and case_clause.
-module(record_errors).
-export([main/0]).

-record(r, {a, b}).
main() ->
    p(try (id(x))#r.a catch error:E -> E end),
    p(try (id({r, 1}))#r.b catch error:E2 -> E2 end),
    p(try (id({s, 1, 2}))#r{a = 3} catch error:E3 -> E3 end),
    p(is_record(id({r, 1, 2}), r)),
    p(is_record(id({r, 1, 2}), r, 4)),
    p(element(#r.b, #r{a = 1, b = 2})),
    p(setelement(#r.a, #r{}, x)).

id(X) -> X.

p(X) -> io:format("~p~n", [X]).
