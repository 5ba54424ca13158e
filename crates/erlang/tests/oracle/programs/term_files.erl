%% Reading terms from text with erl_scan and erl_parse.
-module(term_files).
-export([main/0]).

main() ->
    p(term("{a, [1, 2.5, \"s\"], <<1,2>>}.")),
    p(term("#{k => v}.")),
    p(term("[].")),
    p(element(1, scan_error("{a, ."))).

term(S) ->
    {ok, Tokens, _} = erl_scan:string(S),
    {ok, T} = erl_parse:parse_term(Tokens),
    T.

scan_error(S) ->
    {ok, Tokens, _} = erl_scan:string(S),
    erl_parse:parse_term(Tokens).

p(X) -> io:format("~p~n", [X]).
