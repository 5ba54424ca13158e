%% Regular expressions are native; only a replacement by a fun needs Erlang.
-module(re).
-export([replace/3, replace/4]).

replace(Subject, Pattern, Replacement) -> replace(Subject, Pattern, Replacement, []).

replace(Subject, Pattern, Replacement, Options) when is_function(Replacement, 2) ->
    {Pieces, Kind} = re:foresee_pieces(Subject, Pattern, Options),
    Data = [piece(Piece, Replacement) || Piece <- Pieces],
    case Kind of
        iodata -> Data;
        binary -> iolist_to_binary(Data);
        list -> binary_to_list(iolist_to_binary(Data));
        characters -> unicode:characters_to_list(Data)
    end;
replace(Subject, Pattern, Replacement, Options) ->
    re:foresee_replace(Subject, Pattern, Replacement, Options).

piece({match, Whole, Groups}, Fun) -> Fun(Whole, Groups);
piece(Text, _) -> Text.
