%! run: else_is_an_atom:test/0
%! verdict: holds
%% Without the feature maybe_expr, `maybe` and `else` are ordinary atoms and names of functions.
-module(else_is_an_atom).
-export([test/0, else/1]).

test() ->
    {else, 1} = id({else, 1}),
    Main = self(),
    spawn(fun() -> Main ! maybe(1) end),
    receive else -> exit(else); maybe -> else(id(ok)) end.

id(X) -> X.
else(ok) -> else.
maybe(1) -> maybe.
