//! Bit strings, built and matched.

use super::body::Body;
use crate::program::code::{Instruction, Label, Reg, Segment, SegmentKind, SegmentSize, TypeTest};
use crate::term::Term;
use foresee_erlang_syntax::tree::{Expr, ExprKind, Segment as SegmentTree, SegmentOption};
use std::sync::Arc;

impl Body<'_, '_> {
    /// `<<…>>` as a value.
    pub(super) fn bits_build(&mut self, trees: &[SegmentTree], dst: Reg) {
        let pieces: Vec<Piece> = trees.iter().flat_map(pieces).collect();
        let layouts: Vec<Segment> =
            pieces.iter().map(|piece| layout(piece.tree, !piece.is_character())).collect();
        let sized = layouts.iter().filter(|layout| layout.size == SegmentSize::Register).count();
        let start = self.fresh_block(pieces.len() + sized);
        let mut at = start;
        for (piece, layout) in pieces.iter().zip(&layouts) {
            match piece.character {
                Some(c) => self.constant(at, Term::Int(c as i64)),
                None => self.value_apart(&piece.tree.value, at),
            }
            at += 1;
            if layout.size == SegmentSize::Register {
                let size = piece.tree.size.as_ref().expect("a size in a register is written");
                self.value_apart(size, at);
                at += 1;
            }
        }
        let first = self.segments.len() as u32;
        let n = layouts.len() as u16;
        self.segments.extend(layouts);
        self.emit(Instruction::BitsBuild { dst, first, n, start, fail: self.fail });
    }

    /// `<<…>>` as a pattern for all of `src`.
    pub(super) fn bits_pattern(&mut self, trees: &[SegmentTree], src: Reg, fail: Label) {
        self.emit(Instruction::IsType { of: TypeTest::Bitstring, src, fail });
        let position = self.fresh();
        self.constant(position, Term::Int(0));
        for piece in trees.iter().flat_map(pieces) {
            let taken = self.take_segment(&piece, src, position, fail);
            self.piece_pattern(&piece, taken, fail);
        }
        self.emit(Instruction::BitsEnd { src, position, fail });
    }

    /// Takes one segment from `src` at `position`.
    pub(super) fn take_segment(
        &mut self,
        piece: &Piece<'_>,
        src: Reg,
        position: Reg,
        fail: Label,
    ) -> Reg {
        let mut layout = layout(piece.tree, false);
        if piece.is_character() && layout.kind == SegmentKind::Integer && piece.tree.size.is_none()
        {
            layout.size = SegmentSize::Fixed(8);
        }
        let size = match (&piece.tree.size, layout.size) {
            (Some(size), SegmentSize::Register) => {
                let outer = std::mem::replace(&mut self.fail, fail);
                let size = self.operand(size);
                self.fail = outer;
                size
            }
            _ => 0,
        };
        let segment = self.segments.len() as u32;
        self.segments.push(layout);
        let dst = self.fresh();
        self.emit(Instruction::BitsGet { dst, src, position, segment, size, fail });
        dst
    }

    pub(super) fn piece_pattern(&mut self, piece: &Piece<'_>, taken: Reg, fail: Label) {
        match piece.character {
            Some(c) => self.equal_to_constant(taken, Term::Int(c as i64), fail),
            None => {
                self.pattern(&piece.tree.value, taken, fail, true);
            }
        }
    }
}

/// A segment, or one character of a string segment.
pub(super) struct Piece<'t> {
    pub(super) tree: &'t SegmentTree,
    pub(super) character: Option<char>,
}

impl Piece<'_> {
    fn is_character(&self) -> bool {
        self.character.is_some()
    }
}

/// `"abc"` in a bit string stands for its characters, each with the segment's options.
pub(super) fn pieces(tree: &SegmentTree) -> Vec<Piece<'_>> {
    match &tree.value.kind {
        ExprKind::String(text) => {
            let text: &Arc<str> = text;
            text.chars().map(|c| Piece { tree, character: Some(c) }).collect()
        }
        _ => vec![Piece { tree, character: None }],
    }
}

fn layout(tree: &SegmentTree, building: bool) -> Segment {
    let mut kind = SegmentKind::Integer;
    let mut unit = None;
    let mut bits_unit = 8;
    let (mut signed, mut little) = (false, false);
    for option in &tree.options {
        match option {
            SegmentOption::Integer => kind = SegmentKind::Integer,
            SegmentOption::Float => kind = SegmentKind::Float,
            SegmentOption::Binary => kind = SegmentKind::Bits,
            SegmentOption::Bitstring => {
                kind = SegmentKind::Bits;
                bits_unit = 1;
            }
            SegmentOption::Utf8 => kind = SegmentKind::Utf8,
            SegmentOption::Utf16 => kind = SegmentKind::Utf16,
            SegmentOption::Utf32 => kind = SegmentKind::Utf32,
            SegmentOption::Signed => signed = true,
            SegmentOption::Unsigned => signed = false,
            SegmentOption::Big => little = false,
            SegmentOption::Little | SegmentOption::Native => little = true,
            SegmentOption::Unit(n) => unit = Some(*n),
        }
    }
    let _ = building;
    let default_unit = if kind == SegmentKind::Bits { bits_unit } else { 1 };
    let unit = unit.unwrap_or(default_unit);
    let size = match (&tree.size, kind) {
        (Some(size), _) => fixed_size(size).map_or(SegmentSize::Register, SegmentSize::Fixed),
        (None, SegmentKind::Integer) => SegmentSize::Fixed(8 / u32::from(unit.clamp(1, 8))),
        (None, SegmentKind::Float) => SegmentSize::Fixed(64 / u32::from(unit.clamp(1, 64))),
        (None, _) => SegmentSize::All,
    };
    Segment { kind, size, unit, signed, little }
}

fn fixed_size(size: &Expr) -> Option<u32> {
    match super::constant::constant(size) {
        Some(Term::Int(n)) => u32::try_from(n).ok(),
        _ => None,
    }
}
