-module(courier_tests).
-include_lib("eunit/include/eunit.hrl").

parcels_test_() ->
    {foreach, fun start/0, fun(_) -> courier:stop() end,
     [{"parcels are kept in order", fun in_order/0},
      {"who comes back has nothing", fun comes_back/0}]}.

start() ->
    {ok, Courier} = courier:start_link(),
    Courier.

in_order() ->
    courier:take(book),
    courier:take(lamp),
    ?assertEqual([book, lamp], courier:parcels()).

comes_back() ->
    courier:take(book),
    ok = courier:stop(),
    start(),
    ?assertEqual([], courier:parcels()).
