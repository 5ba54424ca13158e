%! run: given_up_by_another:test/0
%! verdict: abnormal_exit
%! stateless(optimal): abnormal_exit, interleavings = 2
%% Another process takes the holder's name away while the holder ends. The name is there until the holder has left it, alive or
%% not; so there are two runs, before that and after.
-module(given_up_by_another).
-export([test/0]).

test() ->
    Me = self(),
    Holder = spawn(fun() -> register(holder, self()), Me ! named, receive leave -> ok end end),
    receive named -> ok end,
    Holder ! leave,
    unregister(holder).
