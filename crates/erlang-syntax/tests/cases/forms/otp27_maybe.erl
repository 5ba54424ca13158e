-module(otp27_maybe).
f(X) -> maybe ok ?= X, a else _ -> b end.
g() -> 'maybe'.
