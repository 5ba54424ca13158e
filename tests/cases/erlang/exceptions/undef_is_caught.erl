%! run: undef_is_caught:test/0
%! verdict: holds
-module(undef_is_caught).
-export([test/0]).
%% Functions and modules that nobody has are an error when they are called, whatever way, and can be caught.
test() ->
    {no_such_module, f, [1], []} = try no_such_module:f(1) catch error:undef:Stack -> hd(Stack) end,
    ok = try lists:no_such(1) catch error:undef -> ok end,
    ok = try erlang:erase(a, b) catch error:undef -> ok end,
    {'EXIT', {undef, [{undef_is_caught, gone, [], []} | _]}} = (catch undef_is_caught:gone()),
    S = self(),
    spawn(fun() -> S ! (catch apply(no_such_module, f, [1, 2])) end),
    receive {'EXIT', {undef, [{no_such_module, f, [1, 2], []} | _]}} -> ok end.
