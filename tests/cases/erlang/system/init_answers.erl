%! run: init_answers:test/0
%! verdict: holds
%% init tells its arguments to who asks; there are none.
-module(init_answers).
-export([test/0]).
test() ->
    init ! {self(), get_arguments},
    receive {init, []} -> ok end.
