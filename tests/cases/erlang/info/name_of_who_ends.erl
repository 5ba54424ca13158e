%! run: name_of_who_ends:test/0
%! verdict: holds
%! stateless(optimal): holds, interleavings = 3
%% A process takes a name and ends. Who asks for the name is told none, the name, or that there is nobody: three runs, for of the
%% dead nothing is told, whether or not they have left their names yet.
-module(name_of_who_ends).
-export([test/0]).

test() ->
    Process = spawn(fun() -> register(guest, self()) end),
    true = lists:member(process_info(Process, registered_name), [[], {registered_name, guest}, undefined]).
