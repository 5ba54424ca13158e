-module(match_bodies).
-export([main/0]).

main() ->
    t(1, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],['$_']}])) end),
    t(2, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],['$$']}])) end),
    t(3, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],['$1']}])) end),
    t(4, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],[{{'$2','$1'}}]}])) end),
    t(5, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],[['$1','$2']]}])) end),
    t(6, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],[{const,'$1'}]}])) end),
    t(7, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],[{'+','$1',10}]}])) end),
    t(8, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],[#{k => '$1'}]}])) end),
    t(9, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],[x]}])) end),
    t(10, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],["str"]}])) end),
    t(11, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],[{{}}]}])) end),
    t(12, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],[{element,2,'$_'}]}])) end),
    t(13, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],[{'+','$2',1}]}])) end),
    t(14, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],['$1','$2']}])) end),
    t(15, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b}]), [{{'$1','$2'},[],[{hd,['$1']}]}])) end),
    t(16, fun() -> ets:select(fill(new(set), [{1,a}]), [{{'$1','$1'},[],['$_']}]) end),
    t(17, fun() -> ets:select(fill(new(set), [{a,a}]), [{{'$1','$1'},[],['$_']}]) end),
    t(18, fun() -> ets:select(fill(new(set), [{1,1.0}]), [{{'$1','$1'},[],['$_']}]) end),
    t(19, fun() -> ets:select(new(set), wrong) end),
    t(20, fun() -> ets:select(new(set), [{x}]) end),
    t(21, fun() -> ets:select(fill(new(set), [{1,#{a => 2}}]), [{{'_',#{a => '$1'}},[],['$1']}]) end),
    t(22, fun() -> ets:test_ms({1,2}, [{{'$1','$2'},[],['$2']}]) end),
    t(23, fun() -> ets:match_spec_run([{1,2},x], ets:match_spec_compile([{{'$1','$2'},[],['$2']}])) end),
    t(24, fun() -> ets:is_compiled_ms(x) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

new(T) -> ets:new(t, [T, public]).
fill(T, L) -> ets:insert(T, L), T.
