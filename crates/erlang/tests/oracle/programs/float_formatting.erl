%% Floats in all the ways they can be printed.
-module(float_formatting).
-export([main/0]).

main() ->
    Fs = [0.0, 1.0, -1.5, 3.14159265, 1.0e-7, 1.0e21, 1.0e22, 123456789.125, 5.0e-324, 1.7976931348623157e308, 0.1 + 0.2],
    [io:format("~p ~w ~f ~e ~g~n", [F, F, F, F, F]) || F <- Fs],
    p([float_to_list(F, [{decimals, 3}]) || F <- [0.0, 1.0, -1.5, 2.0005]]),
    p([float_to_list(F, [{scientific, 2}]) || F <- [0.0, 1.0, -1.5, 12345.0]]),
    p([float_to_binary(F, [short]) || F <- Fs]),
    p([list_to_float(float_to_list(F)) =:= F || F <- Fs]).

p(X) -> io:format("~p~n", [X]).
