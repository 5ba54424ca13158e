%% Records: defaults, update, matching, nesting, fields by name.
-module(records).
-export([main/0]).

-record(address, {street, city = "Nowhere"}).
-record(person, {name, age = 0, address = #address{}}).

main() ->
    P = #person{name = "Ann"},
    p(P),
    Q = P#person{age = 30, address = #address{street = "Main"}},
    p(Q#person.address#address.street),
    p((Q#person.address)#address.city),
    R = Q#person{address = (Q#person.address)#address{city = "Town"}},
    p(R),
    p(older(R)),
    p(record_info(fields, person)),
    p(#person.age),
    p(lists:keysort(#person.age, [R, P])),
    p(try id(P) of #address{} -> no; #person{} -> yes catch error:X -> X after p(tried) end).

id(X) -> X.
older(#person{age = A} = P) when A > 18 -> P#person{age = A + 1}.

p(X) -> io:format("~p~n", [X]).
