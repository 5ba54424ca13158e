%! run: dictionary_is_private:test/0
%! verdict: holds
%% The process dictionary belongs to one process; the child starts with none of it.
-module(dictionary_is_private).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    put(color, red),
    spawn(fun() -> Self ! {child, get(color), put(color, blue)} end),
    receive {child, A, B} -> ?assertEqual({undefined, undefined}, {A, B}) end,
    ?assertEqual(red, get(color)).
