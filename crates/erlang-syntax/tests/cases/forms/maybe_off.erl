-module(maybe_off).
f(maybe) -> else;
f(X) -> {maybe, else, X}.
