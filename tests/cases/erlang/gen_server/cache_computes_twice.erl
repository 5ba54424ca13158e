%! run: cache_computes_twice:test/0
%! verdict: assertion
%% Two callers miss the cache, both compute, and the work is done twice.
-module(cache_computes_twice).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, none, []),
    Self = self(),
    [spawn(fun() -> Self ! {work, fetch(S)} end) || _ <- [1, 2]],
    Done = [receive {work, W} -> W end || _ <- [1, 2]],
    gen_server:stop(S),
    ?assertEqual([computed, found], lists:sort(Done)).

fetch(S) ->
    case gen_server:call(S, get, infinity) of
        none -> gen_server:cast(S, {put, 42}), computed;
        42 -> found
    end.

init(S) -> {ok, S}.
handle_call(get, _From, S) -> {reply, S, S}.
handle_cast({put, V}, _) -> {noreply, V}.
