-module(match_guards).
-export([main/0]).

main() ->
    t(1, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{is_integer,'$1'}],['$_']}])) end),
    t(2, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{is_atom,'$1'}],['$_']}])) end),
    t(3, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{is_float,'$1'}],['$_']}])) end),
    t(4, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{is_tuple,'$1'}],['$_']}])) end),
    t(5, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'>','$1',1}],['$_']}])) end),
    t(6, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'=<','$1',1.5}],['$_']}])) end),
    t(7, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'==','$1',1.0}],['$_']}])) end),
    t(8, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'=:=','$1',1.0}],['$_']}])) end),
    t(9, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'andalso',{is_integer,'$1'},{'>','$1',1}}],['$_']}])) end),
    t(10, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'orelse',{is_atom,'$1'},{is_tuple,'$1'}}],['$_']}])) end),
    t(11, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'not',{is_number,'$1'}}],['$_']}])) end),
    t(12, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'/=','$1',c}],['$_']}])) end),
    t(13, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'>',{'+','$1',1},2}],['$_']}])) end),
    t(14, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'>',{'rem','$1',2},0}],['$_']}])) end),
    t(15, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{is_number,'$1'},{'<','$1',2}],['$_']}])) end),
    t(16, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[true],['$_']}])) end),
    t(17, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[false],['$_']}])) end),
    t(18, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{const,true}],['$_']}])) end),
    t(19, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},['$3'],['$_']}])) end),
    t(20, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{is_integer,1}],['$_']}])) end),
    t(21, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{wrong,'$1'}],['$_']}])) end),
    t(22, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'=:=','$1',{const,{}}}],['$_']}])) end),
    t(23, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'=:=','$1',{{}}}],['$_']}])) end),
    t(24, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'xor',true,{is_atom,'$1'}}],['$_']}])) end),
    t(25, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'>',{abs,'$1'},1}],['$_']}])) end),
    t(26, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'=:=',{element,1,'$_'},2}],['$_']}])) end),
    t(27, fun() -> lists:sort(ets:select(fill(new(set), [{1,a},{2,b},{c,3},{1.5,x},{{},y}]), [{{'$1','$2'},[{'=:=',{size,'$_'},2}],['$_']}])) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

new(T) -> ets:new(t, [T, public]).
fill(T, L) -> ets:insert(T, L), T.
