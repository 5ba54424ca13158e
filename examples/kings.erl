%% Two processes look whether a name is free and then take it. Between the two steps the other may have taken it.
-module(kings).
-export([test/0]).

test() -> [spawn(fun() -> crown() end) || _ <- [1, 2]], ok.

crown() ->
    case whereis(king) of
        undefined -> register(king, self()), receive stop -> ok end;
        _ -> ok
    end.
