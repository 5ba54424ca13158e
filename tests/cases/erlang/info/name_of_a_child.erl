%! run: name_of_a_child:test/0
%! verdict: assertion
%% Whether the child has its name already is a matter of speed.
-module(name_of_a_child).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> register(child, self()), receive stop -> ok end end),
    I = process_info(P, registered_name),
    P ! stop,
    ?assertEqual({registered_name, child}, I).
