-module(maps_records).
-record(r, {a, b = 1, c = {x, y} :: tuple(), d :: integer() | undefined}).
-record(empty, {}).
f(M, R) ->
    #{}, #{a => 1, {b} => [2]}, M#{a := 1, b => 2}, M#{}#{x => 1},
    #r{}, #r{a = 1, _ = 2}, R#r{a = 1}, R#r.a, #r.b, R#r.a#r.b,
    (f(M, R))#r.a, #r{a = 1}#r.a, #empty{},
    #{a := X, b := #r{a = Y}} = M,
    {X, Y}.
