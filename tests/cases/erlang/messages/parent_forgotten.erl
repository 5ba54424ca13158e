%! run: parent_forgotten:test/0
%! verdict: abnormal_exit
%% self() inside the fun is the child, so the child writes to itself and its match fails on what it finds.
-module(parent_forgotten).
-export([test/0]).

test() ->
    spawn(fun() ->
        self() ! result,
        Other = receive X -> X end,
        parent_said_go = Other
    end).
