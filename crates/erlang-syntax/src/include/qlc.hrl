%% Queries are compiled where calls are: `qlc:q` of a comprehension.
-compile({parse_transform, qlc}).
