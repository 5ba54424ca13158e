%! run: toggled_by_two:test/0
%! verdict: holds
%% Two toggles in any order come back to where they began.
-module(toggled_by_two).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_statem).
-export([init/1, callback_mode/0, on/3, off/3]).

test() ->
    {ok, D} = gen_statem:start(?MODULE, [], []),
    Self = self(),
    [spawn(fun() -> Self ! {now, gen_statem:call(D, toggle)} end) || _ <- [1, 2]],
    L = [receive {now, S} -> S end || _ <- [1, 2]],
    ?assertEqual([off, on], lists:sort(L)),
    gen_statem:stop(D).

init(_) -> {ok, off, []}.
callback_mode() -> state_functions.
off({call, From}, toggle, _) -> {next_state, on, [], [{reply, From, on}]}.
on({call, From}, toggle, _) -> {next_state, off, [], [{reply, From, off}]}.
