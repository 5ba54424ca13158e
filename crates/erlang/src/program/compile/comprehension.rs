//! Comprehensions as loops: generators from the outside in, results gathered in reverse.
//! Why not functions of their own: a process that rests inside a comprehension is then in the function the user wrote.

use super::bits::pieces;
use super::body::Body;
use super::vars;
use crate::program::code::{Failure, Instruction, Label, Reg, TypeTest};
use crate::term::{Map, Term};
use foresee_erlang_syntax::Name;
use foresee_erlang_syntax::tree::{Expr, ExprKind, Generator, GeneratorKind, Qualifier, Template};

impl Body<'_, '_> {
    pub(super) fn comprehension(
        &mut self,
        template: &Template,
        qualifiers: &[Qualifier],
        dst: Reg,
    ) {
        let gathered = self.fresh();
        match template {
            Template::Map(_) => self.constant(gathered, Term::map(Map::new())),
            _ => self.constant(gathered, Term::Nil),
        }
        self.qualifiers(qualifiers, &mut |body| body.gather(template, gathered));
        match template {
            Template::List(_) => self.reversed(gathered, dst),
            Template::Binary(_) => {
                let reversed = self.fresh();
                self.reversed(gathered, reversed);
                let start = self.fresh();
                self.emit(Instruction::Move { dst: start, src: reversed });
                self.builtin_on("erlang", "list_to_bitstring", start, 1, dst);
            }
            Template::Map(_) => self.emit(Instruction::Move { dst, src: gathered }),
        }
    }

    fn reversed(&mut self, src: Reg, dst: Reg) {
        let start = self.fresh();
        self.emit(Instruction::Move { dst: start, src });
        self.builtin_on("lists", "reverse", start, 1, dst);
    }

    fn gather(&mut self, template: &Template, gathered: Reg) {
        match template {
            Template::List(item) | Template::Binary(item) => {
                let head = self.operand(item);
                self.emit(Instruction::Cons { dst: gathered, head, tail: gathered });
            }
            Template::Map(field) => {
                let (key, value) = (self.operand(&field.key), self.operand(&field.value));
                let (dst, map, fail) = (gathered, gathered, self.fail);
                self.emit(Instruction::MapPut { dst, map, key, value, exact: false, fail });
            }
        }
    }

    fn qualifiers(&mut self, qualifiers: &[Qualifier], inner: &mut dyn FnMut(&mut Self)) {
        let Some((first, rest)) = qualifiers.split_first() else { return inner(self) };
        match first {
            Qualifier::Filter(test) => {
                let skip = self.label();
                self.filter(test, skip);
                self.qualifiers(rest, inner);
                self.place(skip);
            }
            Qualifier::Generator(generator) => {
                self.generators(std::slice::from_ref(generator), rest, inner);
            }
            Qualifier::Zip(generators) => self.generators(generators, rest, inner),
        }
    }

    fn filter(&mut self, test: &Expr, skip: Label) {
        if self.is_guard(test) {
            return self.test(test, skip);
        }
        let src = self.operand(test);
        let (no, yes) = (self.label(), self.label());
        self.at(test.span);
        self.emit(Instruction::IsTrue { src, fail: no });
        self.emit(Instruction::Jump { to: yes });
        self.place(no);
        let bad = self.label();
        self.emit(Instruction::IsType { of: TypeTest::Boolean, src, fail: bad });
        self.emit(Instruction::Jump { to: skip });
        self.place(bad);
        self.emit(Instruction::Fail { kind: Failure::BadFilter, src });
        self.place(yes);
    }

    /// Generators that advance together (one, unless zipped), then the rest inside their loop.
    fn generators(
        &mut self,
        generators: &[Generator],
        rest: &[Qualifier],
        inner: &mut dyn FnMut(&mut Self),
    ) {
        let sources: Vec<Source> = generators.iter().map(|g| self.source(g)).collect();
        let hidden: Vec<Name> = generators.iter().flat_map(pattern_variables).collect();
        self.shadowing(&hidden, |body| {
            let (next, done) = (body.label(), body.label());
            body.place(next);
            let mut pending = Vec::new();
            for (generator, source) in generators.iter().zip(&sources) {
                body.at(generator.span);
                pending.push(body.advance(generator, source, done));
            }
            let mismatch = body.label();
            for (generator, element) in generators.iter().zip(pending) {
                let fail = if generator.strict { body.label() } else { mismatch };
                body.match_element(generator, element, fail);
                if generator.strict {
                    body.strict_failure(fail, &sources[0]);
                }
            }
            body.qualifiers(rest, inner);
            body.place(mismatch);
            body.emit(Instruction::Jump { to: next });
            body.place(done);
            for (generator, source) in generators.iter().zip(&sources) {
                body.at(generator.span);
                body.finished(source, generators.len() > 1);
            }
        });
    }

    fn source(&mut self, generator: &Generator) -> Source {
        let source = self.operand(&generator.source);
        self.at(generator.span);
        let rest = self.fresh();
        match &generator.kind {
            GeneratorKind::List(_) => {
                self.emit(Instruction::Move { dst: rest, src: source });
                Source::List { rest }
            }
            GeneratorKind::Map(..) => {
                let good = self.label();
                let bad = self.label();
                self.emit(Instruction::IsType { of: TypeTest::Map, src: source, fail: bad });
                self.emit(Instruction::Jump { to: good });
                self.place(bad);
                self.emit(Instruction::Fail { kind: Failure::BadGenerator, src: source });
                self.place(good);
                let start = self.fresh();
                self.emit(Instruction::Move { dst: start, src: source });
                self.builtin_on("maps", "to_list", start, 1, rest);
                Source::List { rest }
            }
            GeneratorKind::Binary(_) => {
                let (good, bad) = (self.label(), self.label());
                self.emit(Instruction::IsType { of: TypeTest::Bitstring, src: source, fail: bad });
                self.emit(Instruction::Jump { to: good });
                self.place(bad);
                self.emit(Instruction::Fail { kind: Failure::BadGenerator, src: source });
                self.place(good);
                self.emit(Instruction::Move { dst: rest, src: source });
                let position = self.fresh();
                self.constant(position, Term::Int(0));
                Source::Bits { bits: rest, position }
            }
        }
    }

    /// Takes the next element, or leaves to `done`.
    fn advance(&mut self, generator: &Generator, source: &Source, done: Label) -> Element {
        match (source, &generator.kind) {
            (Source::List { rest }, _) => {
                let head = self.fresh();
                self.emit(Instruction::IsCons { src: *rest, head, tail: *rest, fail: done });
                Element { registers: vec![head] }
            }
            (Source::Bits { bits, position }, GeneratorKind::Binary(pattern)) => {
                let ExprKind::Binary(segments) = &pattern.kind else {
                    return Element { registers: Vec::new() };
                };
                // A segment that cannot be taken ends the loop; one whose value does not match only skips. A variable
                // is bound at once, because the size of a later segment may need it.
                let mut registers = Vec::new();
                for piece in segments.iter().flat_map(pieces) {
                    let taken = self.take_segment(&piece, *bits, *position, done);
                    if let ExprKind::Var(name) = &piece.tree.value.kind
                        && *name != "_"
                        && !self.is_bound(name)
                    {
                        self.bind(name, taken, true);
                    }
                    registers.push(taken);
                }
                Element { registers }
            }
            _ => Element { registers: Vec::new() },
        }
    }

    fn match_element(&mut self, generator: &Generator, element: Element, fail: Label) {
        match &generator.kind {
            GeneratorKind::List(pattern) => {
                self.pattern(pattern, element.registers[0], fail, true);
            }
            GeneratorKind::Map(key, value) => {
                for (i, pattern) in [key, value].into_iter().enumerate() {
                    self.element_pattern(pattern, element.registers[0], i as u16, fail);
                }
            }
            GeneratorKind::Binary(pattern) => {
                let ExprKind::Binary(segments) = &pattern.kind else { return };
                let all = segments.iter().flat_map(pieces);
                for (piece, taken) in all.zip(element.registers) {
                    let is_itself = match &piece.tree.value.kind {
                        ExprKind::Var(name) => self.scope.registers.get(name) == Some(&taken),
                        _ => false,
                    };
                    if !is_itself {
                        self.piece_pattern(&piece, taken, fail);
                    }
                }
            }
        }
    }

    fn strict_failure(&mut self, fail: Label, source: &Source) {
        let good = self.label();
        self.emit(Instruction::Jump { to: good });
        self.place(fail);
        let (Source::List { rest: src } | Source::Bits { bits: src, .. }) = source;
        self.emit(Instruction::Fail { kind: Failure::BadMatch, src: *src });
        self.place(good);
    }

    /// After the loop: a list must have come to its proper end.
    fn finished(&mut self, source: &Source, zipped: bool) {
        let Source::List { rest } = source else { return };
        let (good, bad) = (self.label(), self.label());
        self.emit(Instruction::IsNil { src: *rest, fail: bad });
        self.emit(Instruction::Jump { to: good });
        self.place(bad);
        let _ = zipped;
        self.emit(Instruction::Fail { kind: Failure::BadGenerator, src: *rest });
        self.place(good);
    }
}

enum Source {
    List { rest: Reg },
    Bits { bits: Reg, position: Reg },
}

struct Element {
    registers: Vec<Reg>,
}

fn pattern_variables(generator: &Generator) -> Vec<Name> {
    match &generator.kind {
        GeneratorKind::List(pattern) | GeneratorKind::Binary(pattern) => {
            vars::of_patterns(std::slice::from_ref(pattern))
        }
        GeneratorKind::Map(key, value) => {
            let mut names = vars::of_patterns(std::slice::from_ref(key));
            names.extend(vars::of_patterns(std::slice::from_ref(value)));
            names
        }
    }
}
