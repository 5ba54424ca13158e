-module(delayed_writes).
-export([main/0]).

%% What is written to a file that keeps it back, and when it is there.
main() ->
    [one(Modes) || Modes <- [[write, raw, {delayed_write, 10, 50}], [append, raw, {delayed_write, 10, 50}], [write, {delayed_write, 10, 50}]]],
    {ok, F} = file:open(name(), [write, raw, delayed_write]),
    ok = file:write(F, "last"),
    p(file:read_file(name())),
    p(file:close(F)),
    p(file:read_file(name())),
    {ok, A} = file:read_file_info(name()),
    p(element(2, A)),
    ok = file:delete(name()),
    p(file:write_file(name(), "new")),
    ok = file:delete(name()).

one(Modes) ->
    file:delete(name()),
    {ok, F} = file:open(name(), Modes),
    p(file:write(F, "abc")),
    p(file:read_file(name())),
    receive after 150 -> ok end,
    p(file:read_file(name())),
    p(file:write(F, "defg")),
    p(file:write(F, "0123456789")),
    p(file:read_file(name())),
    p(file:write(F, "x")),
    p(file:datasync(F)),
    p(file:read_file(name())),
    p(file:write(F, "y")),
    p(file:position(F, 0)),
    p(file:read_file(name())),
    p(file:close(F)),
    p(file:read_file(name())).

name() -> "/tmp/foresee_delayed_writes".

p(Value) -> io:format("~p~n", [Value]).
