%% Attributes that only inform: vsn, author, custom; export_all; types and specs.
-module(attributes).
-export([main/0]).

-vsn("1.0").
-author(somebody).
-custom({some, [term]}).
-compile([nowarn_unused_function]).
-type colour() :: red | green | {rgb, 0..255, 0..255, 0..255}.
-opaque handle() :: #{id := integer()}.
-export_type([colour/0, handle/0]).
-spec mix(colour(), colour()) -> colour() | none.
-callback unused(term()) -> ok.
-optional_callbacks([unused/1]).

main() ->
    p(mix(red, red)),
    p(mix(red, green)),
    p(proplists:get_value(custom, ?MODULE:module_info(attributes))),
    p(proplists:get_value(author, ?MODULE:module_info(attributes))),
    p(lists:member({main, 0}, ?MODULE:module_info(exports))),
    p(?MODULE:module_info(module)).

mix(C, C) -> C;
mix(_, _) -> none.

p(X) -> io:format("~p~n", [X]).
