%! run: name_with_blanks:test/0
%! verdict: abnormal_exit
%% A registered name may have blanks, quotes and backslashes in it; the run in which its process fails is told, saved and replayed
%% like any other.
-module(name_with_blanks).
-export([test/0]).

test() ->
    register('my "own" \\ server', self()),
    Self = self(),
    spawn(fun() -> Self ! {'my "own" \\ server', "my server"} end),
    receive
        Message -> exit({unexpected, Message})
    end.
