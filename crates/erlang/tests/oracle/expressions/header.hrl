%% What every expression of the corpus may use. Each is the body of a function of one module.
-record(point, {x = 0, y = 0}).
-record(person, {name, age = 18 :: integer(), tags = []}).
-define(TWICE(X), (X) * 2).
-define(SHOW(X), {??X, X}).

%% Hides a value from the compiler, so that nothing is decided before the program runs.
id(X) -> X.

%% Fails for anything but 1 and 2.
name(1) -> one;
name(2) -> two.

factorial(0) -> 1;
factorial(N) -> N * factorial(N - 1).

fibonacci(N) when N < 2 -> N;
fibonacci(N) -> fibonacci(N - 1) + fibonacci(N - 2).
