%% The old generator: Wichmann and Hill, "An efficient and portable pseudo-random number generator" (1982).
-module(random).
-export([seed/0, seed/1, seed/3, seed0/0, uniform/0, uniform/1, uniform_s/1, uniform_s/2]).

-define(P1, 30269).
-define(P2, 30307).
-define(P3, 30323).

seed0() -> {3172, 9814, 20125}.

seed() -> put(random_seed, seed0()).
seed({A, B, C}) -> seed(A, B, C).
seed(A, B, C) -> put(random_seed, {abs(A) rem (?P1 - 1) + 1, abs(B) rem (?P2 - 1) + 1, abs(C) rem (?P3 - 1) + 1}).

uniform() ->
    {Float, State} = uniform_s(state()),
    put(random_seed, State),
    Float.
uniform(N) when is_integer(N), N >= 1 -> trunc(uniform() * N) + 1.

state() ->
    case get(random_seed) of
        undefined -> seed0();
        State -> State
    end.

uniform_s({A, B, C}) ->
    A1 = A * 171 rem ?P1,
    B1 = B * 172 rem ?P2,
    C1 = C * 170 rem ?P3,
    Sum = A1 / ?P1 + B1 / ?P2 + C1 / ?P3,
    {Sum - trunc(Sum), {A1, B1, C1}}.
uniform_s(N, State) when is_integer(N), N >= 1 ->
    {Float, Next} = uniform_s(State),
    {trunc(Float * N) + 1, Next}.
