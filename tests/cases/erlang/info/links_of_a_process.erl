%! run: links_of_a_process:test/0
%! verdict: holds
%% The links of oneself are known for sure.
-module(links_of_a_process).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn_link(fun() -> receive stop -> ok end end),
    {links, L} = process_info(self(), links),
    ?assertEqual([P], L),
    unlink(P),
    ?assertEqual({links, []}, process_info(self(), links)),
    P ! stop.
