-module(attributes).
-behaviour(gen_server).
-export([f/0, 'g h'/1]).
-export([]).
-import(lists, [map/2, foldl/3]).
-compile([export_all, {inline, [f/0]}]).
-vsn("1.0").
-author({me, [1, 2.5, "text", 'Q']}).
-custom(#{a => 1}).
-dialyzer({nowarn_function, f/0}).
-on_load(f/0).
-compile(-1).
f() -> ok.
'g h'(_) -> ok.
