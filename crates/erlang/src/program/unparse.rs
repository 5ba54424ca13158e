//! Forms that a parse transform gives (Erlang's "abstract format", as terms) as text that can be parsed again.
//! Why text: a transform may build anything, and there is one place that turns forms into a program, the parser; what it refuses
//! is told as of any module. Lines are kept: before whatever stands on a later line than the text has come to, the text goes on
//! to that line; the lines of what a header has defined are not lines of this text, and are passed over. Types and specifications are left out, since nothing here runs them.

use crate::term::Term;
use foresee_erlang_syntax::print_atom;

/// Lines beyond which a line number is not believed.
const LINES_MAX: i64 = 1_000_000;

/// The forms as a module's text; `None` if something in them is not a form.
pub fn unparse(forms: &Term) -> Option<String> {
    let mut printer = Printer { out: String::new(), line: 1, file: None, is_elsewhere: false };
    for form in forms.to_vec()? {
        printer.form(&form)?;
    }
    Some(printer.out)
}

/// A term as Erlang writes it, without variables.
///
/// ```
/// assert_eq!(foresee_erlang::read_term("{a, [1.5, \"b\"]}").unwrap().to_string(), "{a,[1.5,\"b\"]}");
/// assert!(foresee_erlang::read_term("X").is_none());
/// ```
pub fn read_term(text: &str) -> Option<Term> {
    crate::program::compile::constant(&foresee_erlang_syntax::parse_expr(text).ok()?)
}

struct Printer {
    out: String,
    line: i64,
    /// The module's own file, once it has been named.
    file: Option<Term>,
    /// The forms are of another file.
    is_elsewhere: bool,
}

/// Everything here gives `None` where a term is not what it should be.
type Done = Option<()>;

/// Attributes that say nothing about what runs.
const LEFT_OUT: [&str; 9] = [
    "file",
    "spec",
    "type",
    "opaque",
    "callback",
    "export_type",
    "optional_callbacks",
    "dialyzer",
    "nominal",
];

/// Transforms that are done elsewhere, and must still be named.
const KEPT_TRANSFORMS: [&str; 3] = ["eunit_autoexport", "ms_transform", "qlc"];

impl Printer {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Goes on to the line of a term's second element.
    fn at(&mut self, anno: &Term) {
        if self.is_elsewhere {
            return;
        }
        let location = anno.to_vec().and_then(|parts| {
            parts.iter().filter_map(Term::as_tuple).find_map(|it| match it {
                [key, value] if *key == Term::atom("location") => Some(value.clone()),
                _ => None,
            })
        });
        let location = location.as_ref().unwrap_or(anno);
        let line = match location.as_tuple() {
            Some([line, _]) => line.as_int(),
            _ => location.as_int(),
        };
        let Some(line) = line.filter(|line| *line <= LINES_MAX) else { return };
        while self.line < line {
            self.out.push('\n');
            self.line += 1;
        }
    }

    fn form(&mut self, form: &Term) -> Done {
        match form.as_tuple()? {
            [tag, anno, name, value] if tag.is("attribute") => self.attribute(anno, name, value),
            [tag, anno, name, _, clauses] if tag.is("function") => {
                self.at(anno);
                let name = print_atom(name.as_atom()?.text());
                for (i, clause) in clauses.to_vec()?.iter().enumerate() {
                    self.text(if i > 0 { "; " } else { "" });
                    if let [_, anno, ..] = clause.as_tuple()? {
                        self.at(anno);
                    }
                    self.text(&name);
                    self.function_clause(clause)?;
                }
                self.text(". ");
                Some(())
            }
            [tag, ..] if tag.is("eof") || tag.is("warning") => Some(()),
            _ => None,
        }
    }

    fn attribute(&mut self, anno: &Term, name: &Term, value: &Term) -> Done {
        let plain = name.as_atom()?.text();
        if let ("file", Some([file, _])) = (plain, value.as_tuple()) {
            self.is_elsewhere = self.file.get_or_insert_with(|| file.clone()) != file;
        }
        if LEFT_OUT.contains(&plain) {
            return Some(());
        }
        if plain == "compile" && is_own_transform(value) {
            return Some(());
        }
        self.at(anno);
        self.text(&format!("-{}(", print_atom(plain)));
        match plain {
            "export" => self.names(value)?,
            "import" => match value.as_tuple() {
                Some([module, names]) => {
                    self.text(&format!("{}, ", print_atom(module.as_atom()?.text())));
                    self.names(names)?;
                }
                _ => self.text(&value.to_string()),
            },
            "record" => {
                let [record, fields] = value.as_tuple()? else { return None };
                self.text(&format!("{}, {{", print_atom(record.as_atom()?.text())));
                self.commas(&fields.to_vec()?, Self::field_definition)?;
                self.text("}");
            }
            "compile" => self.text(&without_transforms(value).to_string()),
            _ => self.text(&value.to_string()),
        }
        self.text("). ");
        Some(())
    }

    /// `[f/1, g/2]`
    fn names(&mut self, names: &Term) -> Done {
        self.text("[");
        self.commas(&names.to_vec()?, |printer, name| {
            let [name, arity] = name.as_tuple()? else { return None };
            printer.text(&format!("{}/{}", print_atom(name.as_atom()?.text()), arity.as_int()?));
            Some(())
        })?;
        self.text("]");
        Some(())
    }

    fn field_definition(&mut self, field: &Term) -> Done {
        match field.as_tuple()? {
            [tag, inner, _] if tag.is("typed_record_field") => self.field_definition(inner),
            [_, anno, name] => {
                self.at(anno);
                self.expr(name)
            }
            [_, anno, name, default] => {
                self.at(anno);
                self.expr(name)?;
                self.text(" = ");
                self.expr(default)
            }
            _ => None,
        }
    }

    fn commas(&mut self, items: &[Term], mut one: impl FnMut(&mut Self, &Term) -> Done) -> Done {
        for (i, item) in items.iter().enumerate() {
            self.text(if i > 0 { ", " } else { "" });
            one(self, item)?;
        }
        Some(())
    }

    fn exprs(&mut self, items: &Term) -> Done {
        self.commas(&items.to_vec()?, Self::expr)
    }

    /// In parentheses, unless it needs none anywhere.
    fn closed(&mut self, expr: &Term) -> Done {
        let is_simple = expr.as_tuple().is_some_and(|parts| {
            let tags = ["atom", "var", "char", "string", "tuple", "nil", "cons", "bin"];
            tags.iter().any(|tag| parts[0].is(tag))
                || parts[0].is("integer") && parts[2].as_int().is_some_and(|n| n >= 0)
        });
        if is_simple {
            return self.expr(expr);
        }
        self.text("(");
        self.expr(expr)?;
        self.text(")");
        Some(())
    }

    fn expr(&mut self, expr: &Term) -> Done {
        let parts = expr.as_tuple()?;
        let [tag, anno, rest @ ..] = parts else { return None };
        self.at(anno);
        match (tag.as_atom()?.text(), rest) {
            ("atom", [name]) => self.text(&print_atom(name.as_atom()?.text())),
            ("var", [name]) => self.text(name.as_atom()?.text()),
            ("integer" | "float", [number]) => self.text(&number.to_string()),
            ("char", [character]) => self.text(&format!("$\\x{{{:x}}}", character.as_int()?)),
            ("string", [characters]) => self.string(characters)?,
            ("nil", []) => self.text("[]"),
            ("cons", [head, tail]) => {
                self.text("[");
                self.expr(head)?;
                self.text(" | ");
                self.expr(tail)?;
                self.text("]");
            }
            ("tuple", [elements]) => {
                self.text("{");
                self.exprs(elements)?;
                self.text("}");
            }
            ("bin", [elements]) => {
                self.text("<< ");
                self.commas(&elements.to_vec()?, Self::segment)?;
                self.text(" >>");
            }
            ("map", [fields]) => {
                self.text("#{");
                self.commas(&fields.to_vec()?, Self::map_field)?;
                self.text("}");
            }
            ("map", [base, fields]) => {
                self.closed(base)?;
                self.text("#{");
                self.commas(&fields.to_vec()?, Self::map_field)?;
                self.text("}");
            }
            ("record", [name, fields]) => self.record(name, fields)?,
            ("record", [base, name, fields]) => {
                self.closed(base)?;
                self.record(name, fields)?;
            }
            ("record_field", [base, name, field]) => {
                self.closed(base)?;
                self.text(&format!("#{}.", print_atom(name.as_atom()?.text())));
                self.expr(field)?;
            }
            ("record_index", [name, field]) => {
                self.text(&format!("#{}.", print_atom(name.as_atom()?.text())));
                self.expr(field)?;
            }
            ("op", [op, operand]) => {
                self.text(&format!("({} ", op.as_atom()?.text()));
                self.closed(operand)?;
                self.text(")");
            }
            ("op", [op, left, right]) => {
                self.text("(");
                self.closed(left)?;
                self.text(&format!(" {} ", op.as_atom()?.text()));
                self.closed(right)?;
                self.text(")");
            }
            ("match", [pattern, value]) => {
                self.text("(");
                self.expr(pattern)?;
                self.text(" = ");
                self.expr(value)?;
                self.text(")");
            }
            ("maybe_match", [pattern, value]) => {
                self.expr(pattern)?;
                self.text(" ?= ");
                self.expr(value)?;
            }
            ("call", [target, args]) => {
                self.callee(target)?;
                self.text("(");
                self.exprs(args)?;
                self.text(")");
            }
            ("remote", [module, function]) => self.remote(module, function)?,
            ("fun", [what]) => self.fun(what)?,
            ("named_fun", [name, clauses]) => {
                let name = name.as_atom()?.text().to_owned();
                self.text("fun ");
                for (i, clause) in clauses.to_vec()?.iter().enumerate() {
                    self.text(if i > 0 { "; " } else { "" });
                    self.text(&name);
                    self.function_clause(clause)?;
                }
                self.text(" end");
            }
            ("lc", [template, qualifiers]) => {
                self.text("[");
                self.expr(template)?;
                self.qualifiers(qualifiers)?;
                self.text("]");
            }
            ("bc", [template, qualifiers]) => {
                self.text("<< ");
                self.closed(template)?;
                self.qualifiers(qualifiers)?;
                self.text(" >>");
            }
            ("mc", [template, qualifiers]) => {
                self.text("#{");
                self.map_field(template)?;
                self.qualifiers(qualifiers)?;
                self.text("}");
            }
            ("block", [body]) => {
                self.text("begin ");
                self.exprs(body)?;
                self.text(" end");
            }
            ("if", [clauses]) => {
                self.text("if ");
                self.clauses(clauses, Self::if_clause)?;
                self.text(" end");
            }
            ("case", [subject, clauses]) => {
                self.text("case ");
                self.expr(subject)?;
                self.text(" of ");
                self.clauses(clauses, Self::case_clause)?;
                self.text(" end");
            }
            ("receive", [clauses]) => {
                self.text("receive ");
                self.clauses(clauses, Self::case_clause)?;
                self.text(" end");
            }
            ("receive", [clauses, timeout, body]) => {
                self.text("receive ");
                self.clauses(clauses, Self::case_clause)?;
                self.text(" after ");
                self.expr(timeout)?;
                self.text(" -> ");
                self.exprs(body)?;
                self.text(" end");
            }
            ("try", [body, of, catch, after]) => self.try_expr(body, of, catch, after)?,
            ("catch", [inner]) => {
                self.text("(catch ");
                self.expr(inner)?;
                self.text(")");
            }
            ("maybe", [body, rest @ ..]) => {
                self.text("maybe ");
                self.exprs(body)?;
                if let [otherwise] = rest {
                    let [_, _, clauses] = otherwise.as_tuple()? else { return None };
                    self.text(" else ");
                    self.clauses(clauses, Self::case_clause)?;
                }
                self.text(" end");
            }
            _ => return None,
        }
        Some(())
    }

    fn string(&mut self, characters: &Term) -> Done {
        self.text("\"");
        for character in characters.to_vec()? {
            let code = u32::try_from(character.as_int()?).ok()?;
            match char::from_u32(code) {
                Some(plain @ (' ' | '!' | '#'..='[' | ']'..='~')) => self.out.push(plain),
                _ => self.text(&format!("\\x{{{code:x}}}")),
            }
        }
        self.text("\"");
        Some(())
    }

    fn segment(&mut self, segment: &Term) -> Done {
        let [_, _, value, size, types] = segment.as_tuple()? else { return None };
        self.closed(value)?;
        if !size.is("default") {
            self.text(":");
            self.closed(size)?;
        }
        if !types.is("default") {
            self.text("/");
            for (i, kind) in types.to_vec()?.iter().enumerate() {
                self.text(if i > 0 { "-" } else { "" });
                match kind.as_tuple() {
                    Some([_, unit]) => self.text(&format!("unit:{}", unit.as_int()?)),
                    _ => self.text(kind.as_atom()?.text()),
                }
            }
        }
        Some(())
    }

    fn map_field(&mut self, field: &Term) -> Done {
        let [tag, _, key, value] = field.as_tuple()? else { return None };
        self.expr(key)?;
        self.text(if tag.is("map_field_exact") { " := " } else { " => " });
        self.expr(value)
    }

    fn record(&mut self, name: &Term, fields: &Term) -> Done {
        self.text(&format!("#{}{{", print_atom(name.as_atom()?.text())));
        self.commas(&fields.to_vec()?, |printer, field| {
            let [_, _, name, value] = field.as_tuple()? else { return None };
            printer.expr(name)?;
            printer.text(" = ");
            printer.expr(value)
        })?;
        self.text("}");
        Some(())
    }

    fn callee(&mut self, target: &Term) -> Done {
        match target.as_tuple()? {
            [tag, ..] if tag.is("remote") || tag.is("atom") => self.expr(target),
            _ => self.closed(target),
        }
    }

    fn remote(&mut self, module: &Term, function: &Term) -> Done {
        self.closed(module)?;
        self.text(":");
        self.closed(function)
    }

    fn fun(&mut self, what: &Term) -> Done {
        match what.as_tuple()? {
            [_, name, arity] => {
                let name = print_atom(name.as_atom()?.text());
                self.text(&format!("fun {name}/{}", arity.as_int()?));
            }
            [_, module, name, arity] => {
                self.text("fun ");
                self.part(module)?;
                self.text(":");
                self.part(name)?;
                self.text("/");
                self.part(arity)?;
            }
            [_, clauses] => {
                self.text("fun ");
                self.clauses(clauses, Self::function_clause)?;
                self.text(" end");
            }
            _ => return None,
        }
        Some(())
    }

    /// A part of `fun m:f/1`, which older transforms write as plain terms.
    fn part(&mut self, part: &Term) -> Done {
        match (part.as_atom(), part.as_int()) {
            (Some(name), _) => self.text(&print_atom(name.text())),
            (_, Some(number)) => self.text(&number.to_string()),
            _ => self.expr(part)?,
        }
        Some(())
    }

    fn qualifiers(&mut self, qualifiers: &Term) -> Done {
        self.text(" || ");
        self.commas(&qualifiers.to_vec()?, |printer, qualifier| {
            let arrow = match qualifier.as_tuple()? {
                [tag, _, _, _] if tag.is("generate") || tag.is("m_generate") => " <- ",
                [tag, _, _, _] if tag.is("b_generate") => " <= ",
                _ => return printer.expr(qualifier),
            };
            let [tag, _, pattern, source] = qualifier.as_tuple()? else { return None };
            match tag.is("m_generate") {
                true => printer.map_field(pattern)?,
                false => printer.expr(pattern)?,
            }
            printer.text(arrow);
            printer.expr(source)
        })
    }

    fn clauses(&mut self, clauses: &Term, mut one: impl FnMut(&mut Self, &Term) -> Done) -> Done {
        for (i, clause) in clauses.to_vec()?.iter().enumerate() {
            self.text(if i > 0 { "; " } else { "" });
            one(self, clause)?;
        }
        Some(())
    }

    /// `(A, B) when G -> body`
    fn function_clause(&mut self, clause: &Term) -> Done {
        let [_, anno, patterns, guard, body] = clause.as_tuple()? else { return None };
        self.at(anno);
        self.text("(");
        self.exprs(patterns)?;
        self.text(")");
        self.guarded(guard, body)
    }

    fn case_clause(&mut self, clause: &Term) -> Done {
        let [_, anno, patterns, guard, body] = clause.as_tuple()? else { return None };
        self.at(anno);
        self.exprs(patterns)?;
        self.guarded(guard, body)
    }

    fn if_clause(&mut self, clause: &Term) -> Done {
        let [_, anno, _, guard, body] = clause.as_tuple()? else { return None };
        self.at(anno);
        self.guard(guard)?;
        self.text(" -> ");
        self.exprs(body)
    }

    /// `Class:Reason:Stack when G -> body`
    fn catch_clause(&mut self, clause: &Term) -> Done {
        let [_, anno, patterns, guard, body] = clause.as_tuple()? else { return None };
        self.at(anno);
        let pattern = patterns.to_vec()?;
        let [_, _, parts] = pattern.first()?.as_tuple()? else { return None };
        let parts = parts.to_vec()?;
        let [class, reason, stack] = parts.as_slice() else { return None };
        self.expr(class)?;
        self.text(":");
        self.closed(reason)?;
        let is_any = matches!(stack.as_tuple(), Some([_, _, name]) if name.is("_"));
        if !is_any {
            self.text(":");
            self.expr(stack)?;
        }
        self.guarded(guard, body)
    }

    fn guarded(&mut self, guard: &Term, body: &Term) -> Done {
        if !matches!(guard, Term::Nil) {
            self.text(" when ");
            self.guard(guard)?;
        }
        self.text(" -> ");
        self.exprs(body)
    }

    fn guard(&mut self, guard: &Term) -> Done {
        for (i, tests) in guard.to_vec()?.iter().enumerate() {
            self.text(if i > 0 { "; " } else { "" });
            self.exprs(tests)?;
        }
        Some(())
    }

    fn try_expr(&mut self, body: &Term, of: &Term, catch: &Term, after: &Term) -> Done {
        self.text("try ");
        self.exprs(body)?;
        if !matches!(of, Term::Nil) {
            self.text(" of ");
            self.clauses(of, Self::case_clause)?;
        }
        if !matches!(catch, Term::Nil) {
            self.text(" catch ");
            self.clauses(catch, Self::catch_clause)?;
        }
        if !matches!(after, Term::Nil) {
            self.text(" after ");
            self.exprs(after)?;
        }
        self.text(" end");
        Some(())
    }
}

/// Whether a compile option asks for a transform that has been run.
fn is_own_transform(option: &Term) -> bool {
    match option.as_tuple() {
        Some([key, name]) => {
            let name = name.as_atom().map_or("", |name| name.text());
            key.is("parse_transform") && !KEPT_TRANSFORMS.contains(&name)
        }
        _ => false,
    }
}

fn without_transforms(options: &Term) -> Term {
    match options.to_vec() {
        Some(all) => {
            Term::list(all.into_iter().filter(|it| !is_own_transform(it)).collect::<Vec<_>>())
        }
        None => options.clone(),
    }
}

impl Term {
    /// Whether it is this atom.
    fn is(&self, name: &str) -> bool {
        self.as_atom().is_some_and(|atom| atom.text() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_erlang_syntax::{Options, abstract_forms, no_includes, parse_file};

    /// Forms come back as they were, lines included.
    #[test]
    fn text_of_forms_has_the_same_forms() {
        let text = "-module(m).\n-export([f/2]).\n-compile([{parse_transform, mine}, export_all]).\n\
                    -record(r, {a, b = 1}).\n\n\
                    f(X, #r{a = Y} = R) when X > 1, Y; is_atom(X) ->\n    case {X, -Y} of\n        {1, _} -> $a;\n\
                    \x20       _ -> \"s\\\"t\"\n    end,\n    R#r.a, R#r{b = 2}, #r.a, #{k => 1, l => [1 | X]},\n    \
                    <<X:8/little-unit:8, \"ab\", (X + 1)>>,\n    [A || {ok, A} <- X, A > 1], << <<B>> || <<B>> <= X >>,\n    \
                    try m:f(X, Y) of ok -> 1 catch error:E:S -> {E, S}; throw:_ -> 2 after g() end,\n    \
                    receive {a, B} -> B after 10 -> (catch X) end,\n    fun (1) -> 2; (_) -> 3 end, fun f/2, fun m:f/2,\n    \
                    fun N(0) -> 0; N(K) -> N(K - 1) end, if X -> 1; true -> begin 2, 3 end end.\n\ng() -> X = 1.5, X.\n";
        let parse = |text: &str| parse_file("m.erl", text, &Options::default(), &mut no_includes);
        let forms = abstract_forms(&parse(text));
        let list = format!("[{}]", forms.join(","));
        let term = read_term(&list).expect("terms");
        let again = unparse(&term).expect("text");
        let parsed = parse(&again);
        assert!(parsed.is_usable(), "{again}\n{:?}", parsed.diagnostics);
        let expected: Vec<String> =
            forms.iter().map(|form| form.replace("{parse_transform,mine},", "")).collect();
        assert_eq!(abstract_forms(&parsed), expected, "{again}");
    }

    /// What a header defines has lines of its own, which are not lines of the module's text.
    #[test]
    fn lines_of_headers_move_nothing() {
        let forms = "[{attribute,1,file,{\"m.erl\",1}},{attribute,1,module,m},{attribute,1,file,{\"r.hrl\",1}},{attribute,40,record,{r,[]}},\
                     {attribute,3,file,{\"m.erl\",3}},{function,3,f,0,[{clause,3,[],[],[{atom,4,ok}]}]}]";
        let text = unparse(&read_term(forms).expect("a term")).expect("text");
        let line = |word: &str| text.lines().position(|line| line.contains(word)).map(|at| at + 1);
        assert_eq!((line("record"), line("f("), line("ok")), (Some(1), Some(3), Some(4)), "{text}");
    }
}
