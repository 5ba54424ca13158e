%! run: cast_to_nobody:test/0
%! verdict: holds
%% A cast to a name nobody has is quietly lost.
-module(cast_to_nobody).
-export([test/0]).

test() ->
    ok = gen_server:cast(nobody_here, hello).
