%! run: registered_lists_it:test/0
%! verdict: assertion
%% registered/0 is a snapshot: the child may not have its name yet.
-module(registered_lists_it).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> register(child_name, self()), receive stop -> ok after 10 -> ok end, Self ! done end),
    L = registered(),
    receive done -> ok end,
    ?assert(lists:member(child_name, L)).
