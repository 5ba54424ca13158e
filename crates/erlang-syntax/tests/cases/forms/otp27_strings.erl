-module(otp27_strings).
-moduledoc """
  A module with
    indented "text" and \n no escapes.
  """.
-doc "A function.".
-doc #{since => "1.0"}.
f() ->
    """
    line one
      line "two"

    """,
    ~"bin\n", ~b(x), ~B[a\n], ~s{str}, ~S|\|, ~b"""
      esc\taped
      """.
