//! Text to tree: sections and their items. Process expressions are in `parser/process.rs`.
//! Several errors are reported: after one, reading goes on at the next thing that looks like an item of the section (a
//! name at the start of a line with `=` or `:` after it) or at the next section.

mod process;

use crate::diagnostic::{DECLARED_TWICE, Diagnostic, SYNTAX};
use crate::lexer::{self, Kind, SECTIONS, Token};
use crate::tree::{
    ActionDeclaration, Communication, Function, Name, ProcessDefinition, Rule, Specification, Term,
    Variable,
};
use foresee_text::Span;

/// Nesting deeper than this is refused: trees are walked by recursion.
const DEPTH_MAX: usize = 200;
/// The height of a tree: how many operators may follow each other without parentheses.
const HEIGHT_MAX: usize = 4_000;
/// How far ahead a line is looked at to find out whether it is an item.
const AHEAD_MAX: usize = 100;
const ERRORS_MAX: usize = 20;

/// What reading a text gives: always a tree, and what was wrong.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub specification: Specification,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a specification.
///
/// ```
/// let parsed = foresee_algebra::parse("act a proc P = a.P init P");
/// assert!(parsed.diagnostics.is_empty());
/// assert_eq!(parsed.specification.processes[0].name.text, "P");
/// ```
pub fn parse(text: &str) -> Parsed {
    let mut diagnostics = Vec::new();
    let tokens = lexer::tokens(text, &mut diagnostics);
    let specification = Specification::default();
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        height: 0,
        specification,
        variables: Vec::new(),
        diagnostics,
    };
    parser.sections();
    Parsed { specification: parser.specification, diagnostics: parser.diagnostics }
}

/// The error has been reported; whoever can go on does.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Read<T> = Result<T, Reported>;

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: usize,
    /// The height of the tree that was read last; a chain `a + b + …` grows a tall tree without any nesting.
    height: usize,
    specification: Specification,
    /// The variables of the last `var` section.
    variables: Vec<Variable>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn sections(&mut self) {
        while self.peek().kind != Kind::End && self.diagnostics.len() < ERRORS_MAX {
            let token = self.peek();
            if !SECTIONS.contains(&token.text) {
                let _: Read<()> = self.expected("a section (`sort`, `func`, `map`, `var`, `rew`, `act`, `comm`, `proc` or `init`)");
                self.at += 1;
                self.skip_to(|parser| SECTIONS.contains(&parser.peek().text));
                continue;
            }
            self.at += 1;
            self.section(token.text);
        }
    }

    fn section(&mut self, word: &str) {
        if word == "var" {
            self.variables.clear();
        }
        let mut n_items = 0;
        while self.peek().kind == Kind::Name || (n_items == 0 && !self.is_at_section()) {
            n_items += 1;
            if self.item(word).is_err() {
                if self.diagnostics.len() >= ERRORS_MAX {
                    return;
                }
                self.skip_to(|parser| parser.is_at_section() || parser.is_at_item(word));
            }
            if word == "init" {
                break;
            }
        }
    }

    fn item(&mut self, section: &str) -> Read<()> {
        match section {
            "sort" => {
                let name = self.name("a sort")?;
                self.eat(",");
                self.specification.sorts.push(name);
            }
            "func" | "map" => self.functions(section == "func")?,
            "var" => self.variable_declaration()?,
            "rew" => self.rule()?,
            "act" => self.actions()?,
            "comm" => self.communication()?,
            "proc" => self.process_definition()?,
            _ => {
                let process = self.process()?;
                if self.specification.init.replace(process).is_some() {
                    let span = self.tokens[self.at - 1].span;
                    let message = "a second `init`: a specification starts in one way";
                    self.report(Diagnostic::error(SYNTAX, span, message));
                }
            }
        }
        Ok(())
    }

    fn functions(&mut self, is_constructor: bool) -> Read<()> {
        let names = self.names("a function")?;
        self.expect(":")?;
        let mut arguments = Vec::new();
        if !self.is_at("->") {
            arguments = self.sorts()?;
        }
        self.expect("->")?;
        let result = self.name("a sort")?;
        for name in names {
            let (arguments, result) = (arguments.clone(), result.clone());
            self.specification.functions.push(Function { name, arguments, result, is_constructor });
        }
        Ok(())
    }

    fn variable_declaration(&mut self) -> Read<()> {
        let names = self.names("a variable")?;
        self.expect(":")?;
        let sort = self.name("a sort")?;
        for name in names {
            if self.variables.iter().any(|it| it.name.text == name.text) {
                let message = format!("the variable `{}` is declared twice", name.text);
                self.diagnostics.push(Diagnostic::error(DECLARED_TWICE, name.span, message));
            } else {
                self.variables.push(Variable { name, sort: sort.clone() });
            }
        }
        Ok(())
    }

    fn rule(&mut self) -> Read<()> {
        let left = self.term()?;
        self.expect("=")?;
        let right = self.term()?;
        let mut used = Vec::new();
        names_in(&left, &mut used);
        names_in(&right, &mut used);
        let variables =
            self.variables.iter().filter(|it| used.contains(&it.name.text.as_str())).cloned();
        let variables = variables.collect();
        self.specification.rules.push(Rule { variables, left, right });
        Ok(())
    }

    fn actions(&mut self) -> Read<()> {
        let names = self.names("an action")?;
        let sorts = if self.eat(":") { self.sorts()? } else { Vec::new() };
        for name in names {
            let sorts = sorts.clone();
            self.specification.actions.push(ActionDeclaration { name, sorts });
        }
        Ok(())
    }

    fn communication(&mut self) -> Read<()> {
        let left = self.name("an action")?;
        self.expect("|")?;
        let right = self.name("an action")?;
        self.expect("=")?;
        let result = self.name("an action")?;
        self.specification.communications.push(Communication { left, right, result });
        Ok(())
    }

    fn process_definition(&mut self) -> Read<()> {
        let name = self.name("a process")?;
        let mut parameters = Vec::new();
        if self.eat("(") {
            loop {
                let names = self.names("a parameter")?;
                self.expect(":")?;
                let sort = self.name("a sort")?;
                parameters
                    .extend(names.into_iter().map(|name| Variable { name, sort: sort.clone() }));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect("=")?;
        let body = self.process()?;
        self.specification.processes.push(ProcessDefinition { name, parameters, body });
        Ok(())
    }

    fn sorts(&mut self) -> Read<Vec<Name>> {
        let mut sorts = vec![self.name("a sort")?];
        while self.eat("#") {
            sorts.push(self.name("a sort")?);
        }
        Ok(sorts)
    }

    fn names(&mut self, what: &str) -> Read<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.eat(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn name(&mut self, what: &str) -> Read<Name> {
        let token = self.peek();
        if token.kind != Kind::Name {
            return self.expected(what);
        }
        self.at += 1;
        Ok(Name { text: token.text.to_owned(), span: token.span })
    }

    fn term(&mut self) -> Read<Term> {
        self.deeper(|parser| {
            let name = parser.name("a data term")?;
            let (mut arguments, mut height) = (Vec::new(), 0);
            let mut span = name.span;
            if parser.eat("(") {
                arguments.push(parser.term()?);
                height = parser.height;
                while parser.eat(",") {
                    arguments.push(parser.term()?);
                    height = parser.height.max(height);
                }
                span = span.to(parser.expect(")")?);
            }
            parser.height = height + 1;
            Ok(Term { name: name.text, arguments, span })
        })
    }

    /// Runs `read` one level further down, unless that is too deep.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEPTH_MAX {
            let message = format!("nested deeper than {DEPTH_MAX} levels");
            let problem = Diagnostic::error(SYNTAX, self.peek().span, message)
                .help("give the inner part a name of its own");
            return self.fail(problem);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// The tree just read gets an operator above it, with a part of height `other` beside it.
    fn taller(&mut self, other: usize) -> Read<()> {
        self.height = self.height.max(other) + 1;
        if self.height <= HEIGHT_MAX {
            return Ok(());
        }
        let message = format!("more than {HEIGHT_MAX} operators follow each other");
        let problem = Diagnostic::error(SYNTAX, self.peek().span, message)
            .help("give parts of the expression names of their own");
        self.fail(problem)
    }

    fn peek(&self) -> Token<'a> {
        self.tokens[self.at]
    }

    fn is_at(&self, text: &str) -> bool {
        self.peek().kind != Kind::End && self.peek().text == text
    }

    fn is_at_section(&self) -> bool {
        self.peek().kind == Kind::End || SECTIONS.contains(&self.peek().text)
    }

    /// Whether an item of `section` seems to start here.
    fn is_at_item(&self, section: &str) -> bool {
        if self.peek().kind != Kind::Name || !self.peek().starts_line {
            return false;
        }
        let mark = match section {
            "func" | "map" | "var" | "act" => ":",
            "comm" => "|",
            _ => "=",
        };
        let mut depth = 0usize;
        for token in self.tokens[self.at + 1..].iter().take(AHEAD_MAX) {
            match token.text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                text if depth == 0 && text == mark => return true,
                "," => {}
                _ if depth == 0 && (token.kind != Kind::Name || mark == "=") => return false,
                _ => {}
            }
        }
        false
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is_at(text);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Read<Span> {
        let span = self.peek().span;
        if self.eat(text) { Ok(span) } else { self.expected(&format!("`{text}`")) }
    }

    fn expected<T>(&mut self, what: &str) -> Read<T> {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the text".to_owned(),
            Kind::Keyword => format!("the word `{}`", token.text),
            _ => format!("`{}`", token.text),
        };
        let message = format!("expected {what}, found {found}");
        let mut problem = Diagnostic::error(SYNTAX, token.span, message);
        if token.kind == Kind::Keyword && what.starts_with("a") {
            problem = problem
                .help(format!("`{}` is a word of the language and cannot be a name", token.text));
        }
        self.fail(problem)
    }

    fn fail<T>(&mut self, problem: Diagnostic) -> Read<T> {
        self.report(problem);
        Err(Reported)
    }

    fn report(&mut self, problem: Diagnostic) {
        self.diagnostics.push(problem);
    }

    /// Skips at least one token if it must, then up to where `stop` holds.
    fn skip_to(&mut self, stop: impl Fn(&Self) -> bool) {
        while self.peek().kind != Kind::End && !stop(self) {
            self.at += 1;
        }
    }
}

/// The names without arguments in a term: its variables are among them.
pub(crate) fn names_in<'t>(term: &'t Term, names: &mut Vec<&'t str>) {
    if term.arguments.is_empty() {
        names.push(&term.name);
    }
    term.arguments.iter().for_each(|argument| names_in(argument, names));
}
