//! Functions that came after OTP 25, which wrote down the oracle's expectations. What they must give is what the manual
//! of OTP 27 says.

use foresee_erlang::{
    Entry, Erlang, Event, Limits, News, Options, Outcome, SourceText, load, simulate,
};
use foresee_erlang_syntax::no_includes;

/// What a body prints.
fn printed(body: &str) -> String {
    let text = format!(
        "-module(m).\n-export([main/0]).\nmain() ->\n    {body}.\n\
         p(X) -> io:format(\"~0p~n\", [X]).\n"
    );
    let loaded =
        load(&[SourceText { path: "m.erl", text: &text }], &Default::default(), &mut no_includes);
    let program = loaded.program.unwrap_or_else(|| panic!("{body}: {:?}", loaded.problems[0]));
    let system = Erlang::new(program, Entry::new("m", "main"), Options::default());
    let mut output = String::new();
    let run = simulate(&system, 0, Limits::default(), |news| {
        if let News::Event { event: Event::Output { text, .. }, .. } = news {
            output.push_str(text);
        }
    });
    assert!(matches!(run.outcome, Outcome::Finished), "{body}: {:?}", run.outcome);
    output
}

#[test]
fn lists_of_different_lengths_are_trimmed_or_padded() {
    let body = "p(lists:zip([1, 2], [a], trim)), p(lists:zip([1, 2], [a], {pad, {x, y}})),\n\
        p(lists:zip3([1], [2, 3], [], {pad, {a, b, c}})),\n\
        p(lists:zipwith(fun(A, B) -> A + B end, [1, 2], [3], trim)),\n\
        p(lists:zipwith3(fun(A, B, C) -> A + B + C end, [1], [2], [3, 4], trim)),\n\
        p(try lists:zip([1], [], fail) catch error:_ -> failed end),\n\
        p(lists:enumerate(0, 2, [a, b]))";
    let expected = "[{1,a}]\n[{1,a},{2,y}]\n[{1,2,c},{a,3,c}]\n[4]\n[6]\nfailed\n[{0,a},{2,b}]\n";
    assert_eq!(printed(body), expected);
}

#[test]
fn timers_take_funs_and_units() {
    let body = "S = self(), {ok, _} = timer:apply_after(5, fun() -> S ! one end),\n\
        receive one -> p(one) end,\n\
        {ok, _} = timer:apply_after(5, fun(X) -> S ! X end, [two]), receive two -> p(two) end,\n\
        {ok, T} = timer:apply_interval(5, fun() -> S ! tick end), receive tick -> ok end,\n\
        receive tick -> p(timer:cancel(T)) end,\n\
        {ok, U} = timer:apply_interval(5, fun(X) -> S ! X end, [tack]), receive tack -> ok end,\n\
        p(timer:cancel(U)),\n\
        {ok, V} = timer:apply_repeatedly(5, fun() -> S ! again end), receive again -> ok end,\n\
        receive again -> p(timer:cancel(V)) end,\n\
        {ok, W} = timer:apply_repeatedly(5, fun(X) -> S ! X end, [more]), receive more -> ok end,\n\
        p(timer:cancel(W)),\n\
        {ok, X} = timer:apply_repeatedly(5, erlang, send, [S, third]), receive third -> ok end,\n\
        p(timer:cancel(X)),\n\
        p(timer:tc(timer, sleep, [7], millisecond)), p(timer:tc(fun() -> ok end, second))";
    let cancelled = "{ok,cancel}\n".repeat(5);
    assert_eq!(printed(body), format!("one\ntwo\n{cancelled}{{7,ok}}\n{{0,ok}}\n"));
}

#[test]
fn binaries_have_cases_modes_and_replacing_funs() {
    let body = "p(binary:encode_hex(<<171>>, lowercase)),\n\
        p(base64:encode(<<255, 254>>, #{mode => urlsafe, padding => false})),\n\
        p(base64:decode(<<\"__4\">>, #{mode => urlsafe, padding => false})),\n\
        F = fun(Whole, Groups) -> [$<, Whole, $>, integer_to_list(length(Groups))] end,\n\
        p(re:replace(\"abcd\", \"([ac])(x)?\", F, [global, {return, list}]))";
    assert_eq!(printed(body), "<<\"ab\">>\n<<\"__4\">>\n<<\"ÿþ\">>\n\"<a>2b<c>2d\"\n");
}

#[test]
fn a_process_has_a_label() {
    let body = "p(proc_lib:get_label(self())), p(proc_lib:set_label({worker, 1})),\n\
        p(proc_lib:get_label(self()))";
    assert_eq!(printed(body), "undefined\nok\n{worker,1}\n");
}
