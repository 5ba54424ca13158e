//! Macro expansion: replaces `?NAME` and `?NAME(Args)` by their definitions until none is left.
//! Why a stack and not recursion: as in Erlang, the text of a macro is read again together with what follows it, so
//! a macro may expand to the name of another whose arguments stand after the use.
//! Each token out of a body remembers its expansion, and expansions remember the one they came out of. That chain
//! names macros in messages, and a macro already in the chain is recursive.

use super::Preprocessor;
use super::macros::{Macro, Predefined};
use super::maybe::MaybeWords;
use super::substitute::{head_of, read_args, substitute};
use crate::codes;
use crate::diagnostic::{Expansion, nearest};
use crate::name::{Integer, Name};
use crate::source::Span;
use crate::token::{Keyword, Sym, Tok, Token};
use foresee_text::Diagnostic;

/// Tokens that macros may add to one form before we give up.
const EXPANDED_TOKENS_MAX: usize = 1 << 20;

/// Macros whose texts use each other, one inside the other, before we give up.
const CHAIN_MAX: usize = 500;

/// What the expansions that a use came out of say of a definition.
enum Chain {
    /// It is among them.
    Holds(u32),
    Without,
    TooLong,
}

struct Work {
    /// Tokens still to read, last first.
    rest: Vec<Token>,
    out: Vec<Token>,
    n_expanded: usize,
}

impl Preprocessor<'_> {
    /// Expands the macros of a form.
    pub(super) fn expand(&mut self, raw: &[Token]) -> Vec<Token> {
        if !raw.iter().any(|token| token.kind.is(Sym::Question)) {
            return raw.iter().map(|token| self.finish(token.clone())).collect();
        }
        let mut work =
            Work { rest: raw.iter().rev().cloned().collect(), out: Vec::new(), n_expanded: 0 };
        while let Some(token) = work.rest.pop() {
            if token.kind.is(Sym::Question) {
                self.expand_use(token, &mut work);
            } else {
                let token = self.finish(token);
                work.out.push(token);
            }
        }
        work.out
    }

    /// `maybe` and `else` become keywords when the feature is on.
    fn finish(&self, mut token: Token) -> Token {
        if self.maybe == MaybeWords::Keywords
            && let Tok::Atom(name) = &token.kind
        {
            if name == "maybe" {
                token.kind = Tok::Keyword(Keyword::Maybe);
            } else if name == "else" {
                token.kind = Tok::Keyword(Keyword::Else);
            }
        }
        token
    }

    fn expand_use(&mut self, question: Token, work: &mut Work) {
        let name = work.rest.last().and_then(|token| match &token.kind {
            Tok::Atom(name) | Tok::Quoted(name) | Tok::Var(name) => Some(name.clone()),
            Tok::Keyword(keyword) => Some(keyword.text().into()),
            _ => None,
        });
        let Some(name) = name else { return self.no_name(question, work) };
        let word = work.rest.pop().expect("a name was seen");
        let span = question.span.to(word.span);
        let poison = Token { kind: Tok::Poison, span, ..question.clone() };
        if let Some(which) = self.macros.predefined(&name) {
            let replaced = self.predefined(which, span, work);
            return match replaced {
                Some(kind) => work.out.push(Token { kind, span, ..question }),
                None => {
                    self.undefined_macro(&name, &question, span);
                    work.out.push(poison);
                }
            };
        }
        let Some(overloads) = self.macros.user(&name).map(<[Macro]>::to_vec) else {
            self.undefined_macro(&name, &question, span);
            return work.out.push(poison);
        };
        let Some((chosen, args, span)) = self.choose(&name, &overloads, &question, span, work)
        else {
            return work.out.push(poison);
        };
        match self.in_chain(chosen, question.expansion) {
            Chain::Holds(id) => {
                self.recursive(&name, &question, id);
                work.out.push(poison);
            }
            Chain::TooLong => {
                let problem = format!("macro `{name}` comes out of more than {CHAIN_MAX} others");
                self.diagnostics.push(Diagnostic::error(codes::EXPANSION_LIMIT, span, problem));
                work.out.push(poison);
            }
            Chain::Without => self.replace(&name, chosen, args, &question, span, work),
        }
    }

    /// Picks the overload and reads its arguments.
    fn choose<'m>(
        &mut self,
        name: &Name,
        overloads: &'m [Macro],
        question: &Token,
        span: Span,
        work: &mut Work,
    ) -> Option<(&'m Macro, Vec<Vec<Token>>, Span)> {
        if let [only @ Macro { params: None, .. }] = overloads {
            return Some((only, Vec::new(), span));
        }
        let args = match work.rest.last() {
            Some(token) if token.kind.is(Sym::Open) => match read_args(&mut work.rest) {
                Some((args, close)) => Some((args, span.to(close))),
                None => {
                    let problem = format!("the arguments of macro `{name}` are never closed");
                    let diagnostic = Diagnostic::error(codes::UNBALANCED, span, problem);
                    self.report(diagnostic, question.expansion);
                    return None;
                }
            },
            _ => None,
        };
        let arity = args.as_ref().map(|(args, _)| args.len());
        let matching = |m: &&Macro| m.params.as_ref().map(Vec::len) == arity;
        if let Some(chosen) = overloads.iter().find(matching) {
            let (args, span) = args.unwrap_or((Vec::new(), span));
            return Some((chosen, args, span));
        }
        // `?F()` of a macro with one parameter passes one empty argument.
        if arity == Some(0)
            && let Some(one) =
                overloads.iter().find(|m| m.params.as_ref().is_some_and(|p| p.len() == 1))
        {
            return Some((one, vec![Vec::new()], args.expect("there were parentheses").1));
        }
        self.wrong_arguments(name, overloads, arity, question, span);
        None
    }

    fn replace(
        &mut self,
        name: &Name,
        chosen: &Macro,
        args: Vec<Vec<Token>>,
        question: &Token,
        span: Span,
        work: &mut Work,
    ) {
        self.expansions.push(Expansion {
            name: name.clone(),
            used_at: span,
            defined_at: Some(chosen.defined_at),
            inside: question.expansion.checked_sub(1),
        });
        let expansion = self.expansions.len() as u32;
        let body = substitute(chosen, &args, span, expansion, question);
        work.n_expanded += body.len();
        if work.n_expanded > EXPANDED_TOKENS_MAX {
            let problem = format!("expanding macro `{name}` produces more than a million tokens");
            self.report(Diagnostic::error(codes::EXPANSION_LIMIT, span, problem), 0);
            let dot = work.rest.drain(..).next().filter(|token| token.kind == Tok::Dot);
            work.out.clear();
            work.out.extend(dot);
            return;
        }
        work.rest.extend(body.into_iter().rev());
    }

    /// The value of a predefined macro here; `None` when it has none.
    fn predefined(&mut self, which: Predefined, span: Span, work: &mut Work) -> Option<Tok> {
        let file = self.files.last();
        Some(match which {
            Predefined::Module => Tok::Quoted(self.module.clone()?),
            Predefined::ModuleString => Tok::Str(self.module.as_ref()?.as_str().into()),
            Predefined::File => Tok::Str(file.map_or("".into(), |file| file.path.clone())),
            Predefined::Line => {
                let offset = file.map_or(0, |file| file.line_offset);
                Tok::Integer(Integer::Small(i64::from(self.sources.line(span)) + offset))
            }
            Predefined::Machine => Tok::Quoted("BEAM".into()),
            Predefined::Beam => Tok::Quoted("true".into()),
            Predefined::OtpRelease => Tok::Integer(Integer::Small(i64::from(self.otp))),
            Predefined::FunctionName => Tok::Quoted(head_of(&work.out, &work.rest)?.0),
            Predefined::FunctionArity => {
                Tok::Integer(Integer::Small(head_of(&work.out, &work.rest)?.1 as i64))
            }
            Predefined::FeatureAvailable | Predefined::FeatureEnabled => {
                let (args, _) = read_args(&mut work.rest)?;
                let [arg] = args.as_slice() else { return None };
                let known = matches!(arg.as_slice(), [t] if t.kind.atom().is_some_and(|a| a == "maybe_expr"));
                let value = known
                    && (which == Predefined::FeatureAvailable || self.maybe != MaybeWords::Atoms);
                Tok::Quoted(value.to_string().into())
            }
        })
    }

    /// Looks for an expansion of the same definition that this use came out of.
    fn in_chain(&self, chosen: &Macro, expansion: u32) -> Chain {
        let mut next = expansion.checked_sub(1);
        for _ in 0..CHAIN_MAX {
            let Some(id) = next else { return Chain::Without };
            let expansion = &self.expansions[id as usize];
            if expansion.defined_at == Some(chosen.defined_at) {
                return Chain::Holds(id);
            }
            next = expansion.inside;
        }
        Chain::TooLong
    }

    fn no_name(&mut self, question: Token, work: &mut Work) {
        let next = work.rest.last();
        if next.is_some_and(|token| token.kind.is(Sym::Question)) {
            let problem = "`??` turns a macro's argument into a string, only inside `-define`";
            self.report(
                Diagnostic::error(codes::UNEXPECTED, question.span, problem),
                question.expansion,
            );
            work.rest.pop();
            work.rest.pop();
        } else {
            let problem = "`?` must be followed by the name of a macro";
            self.report(
                Diagnostic::error(codes::UNEXPECTED, question.span, problem),
                question.expansion,
            );
        }
        work.out.push(Token { kind: Tok::Poison, ..question });
    }

    fn undefined_macro(&mut self, name: &Name, question: &Token, span: Span) {
        if !self.undefined.insert(name.clone()) {
            return;
        }
        let near = nearest(name, self.macros.names());
        let help = match (self.macros.predefined(name), near) {
            (Some(Predefined::Module | Predefined::ModuleString), _) => {
                Some("`-module(name).` must come first".to_string())
            }
            (Some(_), _) => Some("it has a value only inside a function".to_string()),
            (None, Some(near)) => Some(format!("there is a macro `?{near}`")),
            (None, None) if self.include_missing => {
                Some("perhaps it is in the include file that was not found".to_string())
            }
            (None, None) if name == "assert" || name.starts_with("assert") => {
                Some("add `-include_lib(\"eunit/include/eunit.hrl\").`".to_string())
            }
            (None, None) => Some(format!("define it with `-define({name}, …).` before this use")),
        };
        let diagnostic =
            Diagnostic::error(codes::UNDEFINED_MACRO, span, format!("undefined macro `?{name}`"))
                .help_if(help);
        self.report(diagnostic, question.expansion);
    }

    fn recursive(&mut self, name: &Name, question: &Token, id: u32) {
        let defined = self.expansions[id as usize].defined_at;
        let problem = format!("macro `{name}` expands to itself");
        let mut diagnostic = Diagnostic::error(codes::MACRO_RECURSION, question.span, problem);
        if let Some(defined) = defined {
            diagnostic = diagnostic.also(defined, format!("`{name}` is defined here"));
        }
        self.diagnostics.push(diagnostic);
    }

    fn wrong_arguments(
        &mut self,
        name: &Name,
        overloads: &[Macro],
        arity: Option<usize>,
        question: &Token,
        span: Span,
    ) {
        let given = match arity {
            None => "without arguments".to_string(),
            Some(1) => "with 1 argument".to_string(),
            Some(n) => format!("with {n} arguments"),
        };
        let shapes: Vec<String> = overloads
            .iter()
            .map(|overload| match &overload.params {
                None => format!("`?{name}`"),
                Some(params) => format!("`?{name}({})`", params.join(", ")),
            })
            .collect();
        let problem = format!("macro `{name}` is used {given}");
        let diagnostic = Diagnostic::error(codes::MACRO_ARGUMENTS, span, problem)
            .also(overloads[0].defined_at, "defined here")
            .help(format!("it is used as {}", shapes.join(" or ")));
        self.report(diagnostic, question.expansion);
    }

    /// Adds the macros a token came out of to a diagnostic.
    fn report(&mut self, diagnostic: Diagnostic, expansion: u32) {
        let diagnostic = with_expansions(diagnostic, &self.expansions, expansion);
        self.diagnostics.push(diagnostic);
    }
}

/// Labels the macros that produced a token, innermost first.
pub(crate) fn with_expansions(
    mut diagnostic: Diagnostic,
    expansions: &[Expansion],
    expansion: u32,
) -> Diagnostic {
    let mut next = expansion.checked_sub(1);
    while let Some(id) = next {
        let Expansion { name, used_at, defined_at, inside } = &expansions[id as usize];
        match defined_at {
            Some(defined) => {
                diagnostic = diagnostic.also(*defined, format!("in the text of macro `{name}`"));
            }
            None => diagnostic = diagnostic.also(*used_at, format!("from macro `{name}`")),
        }
        match inside {
            None if diagnostic.label.is_empty() => {
                diagnostic.label = format!("in this use of macro `?{name}`");
            }
            None => diagnostic = diagnostic.help(format!("it comes out of macro `?{name}`")),
            Some(_) => {}
        }
        next = *inside;
    }
    diagnostic
}
