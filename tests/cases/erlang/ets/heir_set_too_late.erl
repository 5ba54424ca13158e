%! run: heir_set_too_late:test/0
%! verdict: deadlock
%% The owner may be killed before it names its heir, and then there is nothing to inherit.
-module(heir_set_too_late).
-export([test/0]).
-concuerror_options([{treat_as_normal, killed}]).

test() ->
    Self = self(),
    Owner = spawn(fun() ->
        T = ets:new(t, [public]),
        ets:setopts(T, {heir, Self, legacy}),
        receive never -> ok end
    end),
    exit(Owner, kill),
    receive {'ETS-TRANSFER', _, Owner, legacy} -> ok end.
