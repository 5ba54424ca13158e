%! run: all_classes_caught:test/0
%! verdict: holds
%% Three classes, each caught by its name.
-module(all_classes_caught).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() ->
        R = try raise(C) catch throw:x -> throw; exit:x -> exit; error:x -> error end,
        Self ! {C, R}
    end) || C <- [throw, exit, error]],
    [receive {C, R} -> ?assertEqual(C, R) end || C <- [throw, exit, error]].

raise(throw) -> throw(x);
raise(exit) -> exit(x);
raise(error) -> error(x).
