%% What test modules include, written for Foresee: assertions, test generators and debugging macros.
-ifndef(EUNIT_HRL).
-define(EUNIT_HRL, true).

-ifdef(NOTEST).
-ifndef(NODEBUG).
-define(NODEBUG, true).
-endif.
-else.
-ifndef(TEST).
-define(TEST, true).
-endif.
-endif.
-ifndef(EUNIT).
-define(EUNIT, true).
-endif.

%% Functions whose names end in _test or _test_ are entry points and count as exported.
-compile({parse_transform, eunit_autoexport}).

-include_lib("stdlib/include/assert.hrl").

%% Other headers (proper.hrl, for one) define these too; who comes first wins.
-ifndef(LET).
-define(LET(Var, Arg, Expr), ((fun(Var) -> (Expr) end)(Arg))).
-endif.
-ifndef(IF).
-define(IF(Cond, Then, Otherwise), (case (Cond) of true -> (Then); false -> (Otherwise) end)).
-endif.
-ifndef(MATCHES).
-define(MATCHES(Guard, Expr), (case (Expr) of Guard -> true; _ -> false end)).
-endif.
-ifndef(UNDER_EUNIT).
-define(UNDER_EUNIT, true).
-endif.

-define(_test(Expr), {?LINE, fun() -> (Expr) end}).
-define(_assert(BoolExpr), ?_test(?assert(BoolExpr))).
-define(_assert(BoolExpr, Comment), ?_test(?assert(BoolExpr, Comment))).
-define(_assertNot(BoolExpr), ?_test(?assertNot(BoolExpr))).
-define(_assertNot(BoolExpr, Comment), ?_test(?assertNot(BoolExpr, Comment))).
-define(_assertMatch(Guard, Expr), ?_test(?assertMatch(Guard, Expr))).
-define(_assertMatch(Guard, Expr, Comment), ?_test(?assertMatch(Guard, Expr, Comment))).
-define(_assertNotMatch(Guard, Expr), ?_test(?assertNotMatch(Guard, Expr))).
-define(_assertEqual(Expect, Expr), ?_test(?assertEqual(Expect, Expr))).
-define(_assertEqual(Expect, Expr, Comment), ?_test(?assertEqual(Expect, Expr, Comment))).
-define(_assertNotEqual(Unexpected, Expr), ?_test(?assertNotEqual(Unexpected, Expr))).
-define(_assertException(Class, Term, Expr), ?_test(?assertException(Class, Term, Expr))).
-define(_assertNotException(Class, Term, Expr), ?_test(?assertNotException(Class, Term, Expr))).
-define(_assertError(Term, Expr), ?_test(?assertError(Term, Expr))).
-define(_assertExit(Term, Expr), ?_test(?assertExit(Term, Expr))).
-define(_assertThrow(Term, Expr), ?_test(?assertThrow(Term, Expr))).

-define(capturedOutput, eunit_proc:get_output()).

%% Commands of the operating system are not run; a test that comes to one stops there.
-define(cmdStatus(N, Cmd), ({N, _} = eunit_lib:command(Cmd))).
-define(cmd(Cmd), (element(2, ?cmdStatus(0, Cmd)))).
-define(_cmdStatus(N, Cmd), ?_test(?cmdStatus(N, Cmd))).
-define(_cmd(Cmd), ?_test(?cmd(Cmd))).
-define(assertCmdStatus(N, Cmd), (begin ?cmdStatus(N, Cmd), ok end)).
-define(assertCmd(Cmd), ?assertCmdStatus(0, Cmd)).
-define(assertCmdOutput(Text, Cmd), (begin {_, Text} = eunit_lib:command(Cmd), ok end)).
-define(_assertCmdStatus(N, Cmd), ?_test(?assertCmdStatus(N, Cmd))).
-define(_assertCmd(Cmd), ?_test(?assertCmd(Cmd))).
-define(_assertCmdOutput(Text, Cmd), ?_test(?assertCmdOutput(Text, Cmd))).

-ifdef(NODEBUG).
-define(debugMsg(Text), ok).
-define(debugHere, ok).
-define(debugFmt(Format, Args), ok).
-define(debugVal(Expr), (Expr)).
-define(debugValAll(Expr), (Expr)).
-define(debugVal(Expr, Depth), (Expr)).
-define(debugTime(Text, Expr), (Expr)).
-else.
-define(debugMsg(Text),
        begin
            io:format(user, "~ts:~w:~w: ~ts\n", [?FILE, ?LINE, self(), Text]),
            ok
        end).
-define(debugHere, ?debugMsg("<-")).
-define(debugFmt(Format, Args), ?debugMsg(io_lib:format((Format), (Args)))).
-define(debugVal(Expr), ?debugVal(Expr, 15)).
-define(debugValAll(Expr), ?debugVal(Expr, -1)).
-define(debugVal(Expr, Depth),
        ((fun(__Value) ->
                  ?debugFmt("~ts = ~tP", [(??Expr), __Value, (Depth)]),
                  __Value
          end)(Expr))).
-define(debugTime(Text, Expr),
        ((fun() ->
                  {__Micros, __Value} = timer:tc(fun() -> (Expr) end),
                  ?debugFmt("~ts: ~.3f s", [(Text), __Micros / 1000000]),
                  __Value
          end)())).
-endif.

-endif.
