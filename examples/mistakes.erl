%% Five mistakes, for the chapter about Erlang in the guide.
-module(mistakes).
-export([main/0]).

-include("colours.hrl").
-define(LIMIT, 10).

main() ->
    case count(1) of
        N when N > ?LIMITS -> too_many;
        N when N < 0 -> negative
        _ -> shuffle([1, 2, 3])
    end.

count(List, Start) ->
    Start + length(List).

shuffle(List) ->
    lists:revers(List).
