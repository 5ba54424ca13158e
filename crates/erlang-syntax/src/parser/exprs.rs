//! Operators: one Pratt loop over Erlang's table of levels.
//! Operators of other languages (`!=`, `<=`, `&&`, …) are recognised where they cannot be Erlang, reported, and
//! read as what was meant, so that one slip gives one message.

use super::{Parsed, Parser};
use crate::codes;
use crate::source::Span;
use crate::token::{Keyword, Sym, Tok};
use crate::tree::{Associativity, BinaryOp, Expr, ExprKind, UnaryOp};
use foresee_text::Diagnostic;

/// Level of `=`, which groups to the right like `!`.
const MATCH_LEVEL: u16 = 100;
/// Level of prefix operators.
const PREFIX_LEVEL: u16 = 600;

enum Infix {
    Match,
    Op(BinaryOp),
}

impl Parser<'_> {
    /// Any expression.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.expr(0)
    }

    /// An expression whose operators bind at least as tightly as `level_min`.
    fn expr(&mut self, level_min: u16) -> Parsed<Expr> {
        self.inside(|this| this.operators(level_min))
    }

    fn operators(&mut self, level_min: u16) -> Parsed<Expr> {
        let start = self.span();
        let mut left = self.prefix()?;
        let mut chain = 0;
        loop {
            let Some((infix, width)) = self.infix() else { return Ok(left) };
            let (level, associativity) = match infix {
                Infix::Match => (MATCH_LEVEL, Associativity::Right),
                Infix::Op(op) => (op.level(), op.associativity()),
            };
            if level < level_min {
                return Ok(left);
            }
            chain += 1;
            if chain > super::CHAIN_MAX {
                return self.too_deep();
            }
            let op_span = self.bump().span;
            (1..width).for_each(|_| {
                self.bump();
            });
            let right_min = level + u16::from(associativity != Associativity::Right);
            let right = Box::new(self.expr(right_min)?);
            if associativity == Associativity::None {
                self.check_chain(op_span, level)?;
            }
            self.taller()?;
            let left_boxed = Box::new(left);
            let kind = match infix {
                Infix::Match => ExprKind::Match { pattern: left_boxed, value: right },
                Infix::Op(op) => ExprKind::Binary2 { op, op_span, left: left_boxed, right },
            };
            left = self.expr_from(start, kind);
        }
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let op = match self.tok() {
            Tok::Keyword(Keyword::Catch) => {
                self.bump();
                let operand = Box::new(self.expr(0)?);
                return Ok(self.expr_from(start, ExprKind::Catch(operand)));
            }
            tok => prefix_op(tok),
        };
        let Some(op) = op else { return self.postfix() };
        self.bump();
        let operand = Box::new(self.expr(PREFIX_LEVEL)?);
        Ok(self.expr_from(start, ExprKind::Unary { op, operand }))
    }

    /// The operator at the cursor and how many tokens it takes.
    fn infix(&mut self) -> Option<(Infix, usize)> {
        if let Some((meant, width)) = self.foreign() {
            return Some((Infix::Op(meant), width));
        }
        match self.tok() {
            Tok::Sym(Sym::Match) => Some((Infix::Match, 1)),
            tok => binary_op(tok).map(|op| (Infix::Op(op), 1)),
        }
    }

    /// An operator of another language: reported, and the Erlang one it means.
    fn foreign(&mut self) -> Option<(BinaryOp, usize)> {
        let next = self.ahead(1);
        let glued = |sym: Sym| !next.spaced && next.kind.is(sym);
        let plain = !self.separators_follow;
        let (written, meant, width) = match self.tok() {
            Tok::Sym(Sym::Bang) if glued(Sym::Match) => ("!=", BinaryOp::NotEqual, 2),
            Tok::Sym(Sym::Bang) if glued(Sym::Equal) => ("!==", BinaryOp::ExactNotEqual, 2),
            Tok::Sym(Sym::Equal) if glued(Sym::Match) => ("===", BinaryOp::ExactEqual, 2),
            Tok::Sym(Sym::Less) if glued(Sym::Greater) => ("<>", BinaryOp::NotEqual, 2),
            Tok::Sym(Sym::LeftDouble) if plain => ("<=", BinaryOp::LessEqual, 1),
            Tok::Sym(Sym::FatArrow) if plain => ("=>", BinaryOp::GreaterEqual, 1),
            Tok::Sym(Sym::Bars) if plain => ("||", BinaryOp::Orelse, 1),
            Tok::Sym(Sym::Zip) if plain => ("&&", BinaryOp::Andalso, 1),
            _ => return None,
        };
        let span = self.span().to(self.ahead(width - 1).span);
        let help = match written {
            "<>" => "unequal is `/=`; strings are joined with `++`".to_string(),
            "=>" => "greater or equal is `>=`; `=>` stands only in maps".to_string(),
            "<=" => "less or equal is `=<`; `<=` stands only in binary generators".to_string(),
            _ => format!("write `{meant}`"),
        };
        let problem = format!("`{written}` is not an Erlang operator here");
        self.report(Diagnostic::error(codes::FOREIGN_OPERATOR, span, problem).help(help));
        Some((meant, width))
    }

    /// `A < B < C`
    fn check_chain(&mut self, first: Span, level: u16) -> Parsed<()> {
        let Some(op) = binary_op(self.tok()).filter(|op| op.level() == level) else {
            return Ok(());
        };
        let problem = "comparisons cannot be chained".to_string();
        let diagnostic = Diagnostic::error(codes::CHAINED_COMPARISON, self.span(), problem)
            .label(format!("`{op}` after another comparison"))
            .also(first, "the first comparison")
            .help("join two comparisons: `A < B andalso B < C`, or add parentheses");
        Err(self.report(diagnostic))
    }

    pub(super) fn too_deep<T>(&mut self) -> Parsed<T> {
        let problem = "this expression is nested too deeply";
        let diagnostic = Diagnostic::error(codes::TOO_DEEP, self.span(), problem);
        Err(self.report(diagnostic.help("name some of its parts")))
    }
}

pub(super) fn prefix_op(tok: &Tok) -> Option<UnaryOp> {
    Some(match tok {
        Tok::Sym(Sym::Plus) => UnaryOp::Plus,
        Tok::Sym(Sym::Minus) => UnaryOp::Minus,
        Tok::Keyword(Keyword::Bnot) => UnaryOp::Bnot,
        Tok::Keyword(Keyword::Not) => UnaryOp::Not,
        _ => return None,
    })
}

pub(super) fn binary_op(tok: &Tok) -> Option<BinaryOp> {
    use BinaryOp as Op;
    Some(match tok {
        Tok::Sym(sym) => match sym {
            Sym::Bang => Op::Send,
            Sym::Equal => Op::Equal,
            Sym::NotEqual => Op::NotEqual,
            Sym::LessEqual => Op::LessEqual,
            Sym::Less => Op::Less,
            Sym::GreaterEqual => Op::GreaterEqual,
            Sym::Greater => Op::Greater,
            Sym::ExactEqual => Op::ExactEqual,
            Sym::ExactNotEqual => Op::ExactNotEqual,
            Sym::Append => Op::Append,
            Sym::Subtract => Op::Subtract,
            Sym::Plus => Op::Add,
            Sym::Minus => Op::Sub,
            Sym::Slash => Op::Divide,
            Sym::Star => Op::Multiply,
            _ => return None,
        },
        Tok::Keyword(keyword) => match keyword {
            Keyword::Orelse => Op::Orelse,
            Keyword::Andalso => Op::Andalso,
            Keyword::Bor => Op::Bor,
            Keyword::Bxor => Op::Bxor,
            Keyword::Bsl => Op::Bsl,
            Keyword::Bsr => Op::Bsr,
            Keyword::Or => Op::Or,
            Keyword::Xor => Op::Xor,
            Keyword::Div => Op::Div,
            Keyword::Rem => Op::Rem,
            Keyword::Band => Op::Band,
            Keyword::And => Op::And,
            _ => return None,
        },
        _ => return None,
    })
}
