#!/usr/bin/env escript
%%! -kernel logger_level none
%% Prints the forms of Erlang files as `foresee_erlang_syntax::abstract_forms` does, from Erlang's own parser.
%%
%%     escript oracle.escript [-IDIR]... OUT-DIR FILE...
%%
%% writes OUT-DIR/NAME.forms for each FILE. The expectations under cases/forms were made so with OTP 25 (those called
%% otp27_* by hand). Line numbers inside types are 0; `behavior`, `bytes` and `bits` get their other names.
main(Args) ->
    {Opts, [OutDir | Files]} = lists:partition(fun("-I"++_) -> true; (_) -> false end, Args),
    Inc = [D || "-I"++D <- Opts],
    lists:foreach(fun(F) ->
        Out = filename:join(OutDir, filename:basename(F, ".erl") ++ ".forms"),
        {ok, Fd} = file:open(Out, [write,{encoding,utf8}]),
        case epp:parse_file(F, [{includes, [filename:dirname(F), filename:join(filename:dirname(F),"../include")|Inc]}]) of
          {ok, Forms} -> [io:format(Fd, "~tw~n", [norm(X)]) || X <- Forms, keep(X)];
          _ -> ok end,
        file:close(Fd) end, Files).
keep({attribute,_,file,_}) -> false;
keep({eof,_}) -> false;
keep(_) -> true.
norm({attribute,L,behavior,X}) -> {attribute,ln(L),behaviour,X};
norm({attribute,L,K,{N,T,Vs}}) when K=:=type;K=:=opaque -> {attribute,ln(L),K,{N,z(T),z(Vs)}};
norm({attribute,L,K,{N,Ts}}) when K=:=spec;K=:=callback -> {attribute,ln(L),K,{N,z(Ts)}};
norm({attribute,L,record,{N,Fs}}) -> {attribute,ln(L),record,{N,[fld(F)||F<-Fs]}};
norm({attribute,L,K,V}) -> {attribute,ln(L),K,V};
norm({error,_}=E) -> E;
norm({warning,_}=E) -> E;
norm(T) -> n(T).
fld({typed_record_field,F,T}) -> {typed_record_field,n(F),z(T)};
fld(F) -> n(F).
ln(L) -> erl_anno:line(L).
%% expressions
n({string,L,S}) -> {string,ln(L),S};
n({char,L,S}) -> {char,ln(L),S};
n({bin_element,L,V,S,Ts}) -> {bin_element,ln(L),n(V),n(S),bt(Ts)};
n(T) when is_tuple(T) ->
   case tuple_to_list(T) of
     [Tag,{Ln,Col}|R] when is_atom(Tag), is_integer(Ln), is_integer(Col) -> list_to_tuple([Tag,Ln|[n(X)||X<-R]]);
     [Tag,[{K,_}|_]=An|R] when is_atom(Tag), (K=:=text orelse K=:=location) -> list_to_tuple([Tag,ln(An)|[n(X)||X<-R]]);
     L -> list_to_tuple([n(X)||X<-L]) end;
n(L) when is_list(L) -> [n(X)||X<-L];
n(X) -> X.
bt(default) -> default;
bt(Ts) -> [case T of bytes -> binary; bits -> bitstring; _ -> T end || T <- Ts].
z({user_type,_,N,A}) -> {type,0,N,z(A)};
z({type,_,N,A}) -> {type,0,N,z(A)};
z({type,_,N}) -> {type,0,N};
z({T,_,X}) when T=:=var;T=:=atom;T=:=integer;T=:=char -> {T,0,X};
z({T,_,X}) when T=:=ann_type;T=:=remote_type -> {T,0,z(X)};
z({op,_,O,A}) -> {op,0,O,z(A)};
z({op,_,O,A,B}) -> {op,0,O,z(A),z(B)};
z(L) when is_list(L) -> [z(X)||X<-L];
z(X) -> X.
