%! run: relay_overtakes:test/0
%! verdict: assertion
%% Without instant delivery only pairs keep their order: the relayed message may overtake the direct one.
-module(relay_overtakes).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{instant_delivery, false}]).

test() ->
    Self = self(),
    Relay = spawn(fun() -> receive go -> Self ! relayed end end),
    spawn(fun() -> Self ! direct, Relay ! go end),
    A = receive X -> X end,
    receive _ -> ok end,
    ?assertEqual(direct, A).
