%% Modules and functions as values.
-module(dynamic_calls).
-export([main/0]).
-export([double/1, add/2]).

main() ->
    M = ?MODULE, F = double,
    p(M:F(4)),
    p(apply(M, add, [1, 2])),
    p((fun ?MODULE:double/1)(5)),
    G = fun M:add/2,
    p(G(3, 4)),
    p([erlang:apply(Mod, Fun, Args) || {Mod, Fun, Args} <- [{lists, max, [[1, 3, 2]]}, {erlang, abs, [-7]}, {?MODULE, double, [8]}]]),
    p(erlang:function_exported(?MODULE, double, 1)),
    p(erlang:function_exported(?MODULE, hidden, 1)),
    p(try M:hidden(1) catch error:undef -> undef end),
    hidden(2).

double(X) -> X * 2.
add(X, Y) -> X + Y.
hidden(X) -> p({hidden, X}).

p(X) -> io:format("~p~n", [X]).
