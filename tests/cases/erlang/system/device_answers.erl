%! run: device_answers:test/0
%! verdict: holds
%% The group leader writes and says so; io requests are messages.
-module(device_answers).
-export([test/0]).
test() ->
    G = group_leader(),
    G ! {io_request, self(), r, {put_chars, unicode, "x"}},
    receive {io_reply, r, ok} -> ok end,
    user ! {io_request, self(), s, {put_chars, unicode, io_lib, format, ["~p~n", [G]]}},
    receive {io_reply, s, ok} -> ok end.
