%! run: registered_name_of_a_process:test/0
%! verdict: holds
%% The name of a process, before and after it has one.
-module(registered_name_of_a_process).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    ?assertEqual([], process_info(self(), registered_name)),
    register(known, self()),
    ?assertEqual({registered_name, known}, process_info(self(), registered_name)).
