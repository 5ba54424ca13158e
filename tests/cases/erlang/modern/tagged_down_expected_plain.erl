%! run: tagged_down_expected_plain:test/0
%! verdict: deadlock
%% Waiting for a plain DOWN when the monitor has a tag.
-module(tagged_down_expected_plain).
-export([test/0]).

test() ->
    P = spawn(fun() -> ok end),
    Ref = monitor(process, P, [{tag, gone}]),
    receive {'DOWN', Ref, process, P, _} -> ok end.
