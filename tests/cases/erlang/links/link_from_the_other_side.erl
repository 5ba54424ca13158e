%! run: link_from_the_other_side:test/0
%! verdict: abnormal_exit
%% It does not matter who made the link: the child that linked itself takes its parent along.
-module(link_from_the_other_side).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> link(Self), Self ! linked, exit(crash) end),
    receive linked -> ok end,
    receive never -> ok end.
