%! run: exception_after_message:test/0
%! verdict: holds
%% The child fails after it has spoken, which it says itself, and its reason is treated as normal.
-module(exception_after_message).
-export([test/0]).
-concuerror_options([{treat_as_normal, badarith}]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! spoken, 1 div zero() end),
    receive spoken -> ok end.

zero() -> 0.
