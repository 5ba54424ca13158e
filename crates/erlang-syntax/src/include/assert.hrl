%% Assertions, written for Foresee. The terms they raise have the shape that test tools for Erlang expect.
-ifndef(ASSERT_HRL).
-define(ASSERT_HRL, true).

-ifdef(NOASSERT).
-define(assert(BoolExpr), ok).
-define(assert(BoolExpr, Comment), ok).
-else.
-define(assert(BoolExpr), ?foresee_assert_bool(true, BoolExpr, [])).
-define(assert(BoolExpr, Comment), ?foresee_assert_bool(true, BoolExpr, [{comment, (Comment)}])).
-endif.

-define(assertNot(BoolExpr), ?foresee_assert_bool(false, BoolExpr, [])).
-define(assertNot(BoolExpr, Comment), ?foresee_assert_bool(false, BoolExpr, [{comment, (Comment)}])).

-define(foresee_failed(Kind, Details),
        erlang:error({Kind, [{module, ?MODULE}, {line, ?LINE} | Details]})).

-define(foresee_assert_bool(Wanted, BoolExpr, Extra),
        ((fun() ->
                  case (BoolExpr) of
                      Wanted -> ok;
                      __Value ->
                          ?foresee_failed(assert,
                                          Extra ++ [{expression, (??BoolExpr)},
                                                    {expected, Wanted},
                                                    case is_boolean(__Value) of
                                                        true -> {value, __Value};
                                                        false -> {not_boolean, __Value}
                                                    end])
                  end
          end)())).

-define(assertMatch(Guard, Expr), ?foresee_assert_match(Guard, Expr, [])).
-define(assertMatch(Guard, Expr, Comment), ?foresee_assert_match(Guard, Expr, [{comment, (Comment)}])).
-define(foresee_assert_match(Guard, Expr, Extra),
        ((fun() ->
                  case (Expr) of
                      Guard -> ok;
                      __Value ->
                          ?foresee_failed(assertMatch,
                                          Extra ++ [{expression, (??Expr)},
                                                    {pattern, (??Guard)},
                                                    {value, __Value}])
                  end
          end)())).

-define(assertNotMatch(Guard, Expr), ?foresee_assert_not_match(Guard, Expr, [])).
-define(assertNotMatch(Guard, Expr, Comment),
        ?foresee_assert_not_match(Guard, Expr, [{comment, (Comment)}])).
-define(foresee_assert_not_match(Guard, Expr, Extra),
        ((fun() ->
                  __Value = (Expr),
                  case __Value of
                      Guard ->
                          ?foresee_failed(assertNotMatch,
                                          Extra ++ [{expression, (??Expr)},
                                                    {pattern, (??Guard)},
                                                    {value, __Value}]);
                      _ -> ok
                  end
          end)())).

-define(assertEqual(Expect, Expr), ?foresee_assert_equal(Expect, Expr, [])).
-define(assertEqual(Expect, Expr, Comment), ?foresee_assert_equal(Expect, Expr, [{comment, (Comment)}])).
-define(foresee_assert_equal(Expect, Expr, Extra),
        ((fun() ->
                  __Wanted = (Expect),
                  case (Expr) of
                      __Wanted -> ok;
                      __Value ->
                          ?foresee_failed(assertEqual,
                                          Extra ++ [{expression, (??Expr)},
                                                    {expected, __Wanted},
                                                    {value, __Value}])
                  end
          end)())).

-define(assertNotEqual(Unexpected, Expr), ?foresee_assert_not_equal(Unexpected, Expr, [])).
-define(assertNotEqual(Unexpected, Expr, Comment),
        ?foresee_assert_not_equal(Unexpected, Expr, [{comment, (Comment)}])).
-define(foresee_assert_not_equal(Unexpected, Expr, Extra),
        ((fun() ->
                  __Unwanted = (Unexpected),
                  case (Expr) of
                      __Unwanted ->
                          ?foresee_failed(assertNotEqual,
                                          Extra ++ [{expression, (??Expr)}, {value, __Unwanted}]);
                      _ -> ok
                  end
          end)())).

-define(assertException(Class, Term, Expr), ?foresee_assert_exception(Class, Term, Expr, [])).
-define(assertException(Class, Term, Expr, Comment),
        ?foresee_assert_exception(Class, Term, Expr, [{comment, (Comment)}])).
-define(foresee_assert_exception(Class, Term, Expr, Extra),
        ((fun() ->
                  __Details = Extra ++ [{expression, (??Expr)},
                                        {pattern, "{ " ++ (??Class) ++ " , " ++ (??Term) ++ " , [...] }"}],
                  try (Expr) of
                      __Value ->
                          ?foresee_failed(assertException, __Details ++ [{unexpected_success, __Value}])
                  catch
                      Class:Term -> ok;
                      __Class:__Reason:__Stack ->
                          ?foresee_failed(assertException,
                                          __Details ++ [{unexpected_exception,
                                                         {__Class, __Reason, __Stack}}])
                  end
          end)())).

-define(assertError(Term, Expr), ?assertException(error, Term, Expr)).
-define(assertError(Term, Expr, Comment), ?assertException(error, Term, Expr, Comment)).
-define(assertExit(Term, Expr), ?assertException(exit, Term, Expr)).
-define(assertExit(Term, Expr, Comment), ?assertException(exit, Term, Expr, Comment)).
-define(assertThrow(Term, Expr), ?assertException(throw, Term, Expr)).
-define(assertThrow(Term, Expr, Comment), ?assertException(throw, Term, Expr, Comment)).

-define(assertNotException(Class, Term, Expr), ?foresee_assert_no_exception(Class, Term, Expr, [])).
-define(assertNotException(Class, Term, Expr, Comment),
        ?foresee_assert_no_exception(Class, Term, Expr, [{comment, (Comment)}])).
-define(foresee_assert_no_exception(Class, Term, Expr, Extra),
        ((fun() ->
                  try (Expr) of
                      _ -> ok
                  catch
                      __Class:__Reason:__Stack ->
                          case {__Class, __Reason} of
                              {Class, Term} ->
                                  ?foresee_failed(assertNotException,
                                                  Extra ++ [{expression, (??Expr)},
                                                            {pattern, "{ " ++ (??Class) ++ " , "
                                                             ++ (??Term) ++ " , [...] }"},
                                                            {unexpected_exception,
                                                             {__Class, __Reason, __Stack}}]);
                              _ -> ok
                          end
                  end
          end)())).

-endif.
