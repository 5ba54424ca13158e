%% Coverage is not counted: no module is compiled for it, and what would be exported is nothing.
-module(cover).
-export([start/0, stop/0, is_compiled/1, modules/0, imported/0, imported_modules/0, reset/0, reset/1, export/1, export/2,
         import/1, compile_module/1, compile_module/2, compile_beam/1, compile/1, compile/2, which_nodes/0]).

start() -> {ok, self()}.
stop() -> ok.
is_compiled(_) -> false.
modules() -> [].
imported() -> [].
imported_modules() -> [].
reset() -> ok.
reset(Module) -> {error, {not_cover_compiled, Module}}.
export(_) -> ok.
export(_, _) -> ok.
import(_) -> ok.
which_nodes() -> [].
compile_module(Module) -> {error, Module}.
compile_module(Module, _) -> {error, Module}.
compile(Module) -> {error, Module}.
compile(Module, _) -> {error, Module}.
compile_beam(Module) -> {error, {no_abstract_code, Module}}.
