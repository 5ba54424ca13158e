-module(strings_old).
f() -> ["a" "b", """", "x"
"y"].
