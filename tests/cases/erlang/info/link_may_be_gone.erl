%! run: link_may_be_gone:test/0
%! verdict: assertion
%% The linked child may have ended, and with it the link.
-module(link_may_be_gone).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn_link(fun() -> ok end),
    {links, L} = process_info(self(), links),
    ?assertEqual([P], L).
