%! run: name_with_line_breaks:test/0
%! verdict: deadlock
%% The process called 'first\nsecond\tthird' waits for ever; a name of several lines does not end a line of its trace.
-module(name_with_line_breaks).
-export([test/0]).

test() ->
    Server = spawn(fun() ->
        register('first\nsecond\tthird', self()),
        receive {stop, 'first\nsecond\tthird'} -> ok end
    end),
    Server ! {stop, 'first second third'}.
