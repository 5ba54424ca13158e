//! Which registers still matter at each place where a process may rest.
//! A standard backward analysis over one function: a register is live before an instruction if the instruction reads it,
//! or it is live afterwards and the instruction does not write it. Every instruction inside `try` may continue at the
//! handler. What is known then also turns moves of registers that nobody reads again into takes.

use crate::program::code::{
    Failure, Function, Instruction, Label, RAISE, Reg, Segment, SegmentSize,
};
use rustc_hash::FxHashMap;

/// Fills `function.live`.
pub(crate) fn analyse(function: &mut Function) {
    let mut sets = Sets::new(function);
    while sets.pass(function) {}
    let mut live = FxHashMap::default();
    for (pc, instruction) in function.code.iter().enumerate() {
        if let Some(written) = rests(instruction) {
            let after = sets.after(function, pc);
            let kept = after.registers().filter(|r| Some(*r) != written).collect();
            live.insert(pc as Label, kept);
        }
    }
    function.live = live;
    for pc in 0..function.code.len() {
        if let Instruction::Move { dst, src } = function.code[pc]
            && dst != src
            && !sets.after(function, pc).contains(src)
        {
            function.code[pc] = Instruction::Take { dst, src };
        }
    }
}

/// Whether a process may rest at the instruction, and the register in which it then finds its result.
fn rests(instruction: &Instruction) -> Option<Option<Reg>> {
    match instruction {
        Instruction::Call { start, .. }
        | Instruction::CallFun { start, .. }
        | Instruction::Apply { start, .. }
        | Instruction::Builtin { start, fail: RAISE, .. } => Some(Some(*start)),
        Instruction::Receive { dst, .. } => Some(Some(*dst)),
        _ => None,
    }
}

#[derive(Clone, PartialEq)]
struct Set(Vec<u64>);

impl Set {
    fn insert(&mut self, register: Reg) {
        self.0[usize::from(register) / 64] |= 1 << (register % 64);
    }

    fn contains(&self, register: Reg) -> bool {
        (self.0[usize::from(register) / 64] >> (register % 64)) & 1 == 1
    }

    fn remove(&mut self, register: Reg) {
        self.0[usize::from(register) / 64] &= !(1 << (register % 64));
    }

    fn union(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn registers(&self) -> impl Iterator<Item = Reg> {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| (word * 64 + bit) as Reg)
        })
    }
}

/// For each instruction, what is live before it.
struct Sets {
    before: Vec<Set>,
    words: usize,
}

impl Sets {
    fn new(function: &Function) -> Sets {
        let words = usize::from(function.n_registers).div_ceil(64).max(1);
        Sets { before: vec![Set(vec![0; words]); function.code.len()], words }
    }

    /// One sweep from the end; whether anything changed.
    fn pass(&mut self, function: &Function) -> bool {
        let mut changed = false;
        for pc in (0..function.code.len()).rev() {
            let mut set = self.after(function, pc);
            let instruction = &function.code[pc];
            writes(instruction, |register| set.remove(register));
            self.handlers_into(function, pc, &mut set);
            reads(instruction, &function.segments, function.arity, |register| set.insert(register));
            if set != self.before[pc] {
                self.before[pc] = set;
                changed = true;
            }
        }
        changed
    }

    fn after(&self, function: &Function, pc: usize) -> Set {
        let mut set = Set(vec![0; self.words]);
        let mut instruction = function.code[pc];
        if falls_through(&instruction) && pc + 1 < self.before.len() {
            set.union(&self.before[pc + 1]);
        }
        instruction.for_each_label(|target| {
            if *target != RAISE {
                set.union(&self.before[*target as usize]);
            }
        });
        self.handlers_into(function, pc, &mut set);
        set
    }

    fn handlers_into(&self, function: &Function, pc: usize, set: &mut Set) {
        if let Some(handler) = function.handler(pc as Label) {
            let mut target = self.before[handler.target as usize].clone();
            (0..3).for_each(|i| target.remove(handler.registers + i));
            set.union(&target);
        }
    }
}

/// Whether control may go on to the next instruction.
fn falls_through(instruction: &Instruction) -> bool {
    use Instruction as I;
    !matches!(
        instruction,
        I::Jump { .. }
            | I::TailCall { .. }
            | I::CallFun { tail: true, .. }
            | I::Apply { tail: true, .. }
            | I::Return { .. }
            | I::Reject
            | I::Fail { .. }
            | I::Reraise { .. }
    )
}

fn writes(instruction: &Instruction, mut f: impl FnMut(Reg)) {
    use Instruction as I;
    match *instruction {
        I::Move { dst, .. }
        | I::Take { dst, .. }
        | I::Constant { dst, .. }
        | I::Cons { dst, .. }
        | I::Tuple { dst, .. }
        | I::MapPut { dst, .. }
        | I::Closure { dst, .. }
        | I::BitsBuild { dst, .. }
        | I::Compare { dst, .. }
        | I::Arithmetic { dst, .. }
        | I::Element { dst, .. }
        | I::MapGet { dst, .. }
        | I::CatchValue { dst, .. } => f(dst),
        I::IsCons { head, tail, .. } => {
            f(head);
            f(tail);
        }
        // A failed segment leaves both registers as they were, and the failure path reads neither.
        I::BitsGet { dst, .. } => f(dst),
        I::Builtin { start, .. }
        | I::Call { start, .. }
        | I::CallFun { start, .. }
        | I::Apply { start, .. } => f(start),
        I::Receive { dst, .. } => f(dst),
        _ => {}
    }
}

fn reads(instruction: &Instruction, segments: &[Segment], arity: u32, mut f: impl FnMut(Reg)) {
    use Instruction as I;
    let mut range = |start: Reg, n: u16| (start..start + n).for_each(&mut f);
    match *instruction {
        I::Tuple { start, n, .. }
        | I::Closure { start, n, .. }
        | I::Builtin { start, n, .. }
        | I::Call { start, n, .. }
        | I::TailCall { start, n, .. } => range(start, n),
        I::BitsBuild { first, n, start, .. } => {
            let sized = segments[first as usize..first as usize + usize::from(n)]
                .iter()
                .filter(|segment| segment.size == SegmentSize::Register)
                .count();
            range(start, n + sized as u16);
        }
        I::CallFun { fun, start, n, .. } => {
            range(start, n);
            f(fun);
        }
        I::Apply { module, start, n, .. } => {
            range(start, n);
            range(module, 2);
        }
        I::Reraise { start } | I::CatchValue { start, .. } => range(start, 3),
        I::Fail { kind: Failure::FunctionClause, .. } => range(0, arity as u16),
        I::Fail { kind: Failure::IfClause, .. } => {}
        I::Move { src, .. }
        | I::Take { src, .. }
        | I::IsTrue { src, .. }
        | I::ShortCut { src, .. }
        | I::IsType { src, .. }
        | I::IsConstant { src, .. }
        | I::IsSmall { src, .. }
        | I::IsNil { src, .. }
        | I::IsCons { src, .. }
        | I::IsTuple { src, .. }
        | I::Element { src, .. }
        | I::Return { src }
        | I::Fail { src, .. } => f(src),
        I::Cons { head, tail, .. } => {
            f(head);
            f(tail);
        }
        I::MapPut { map, key, value, .. } => {
            f(map);
            f(key);
            f(value);
        }
        I::IsOrdered { left, right, .. }
        | I::Compare { left, right, .. }
        | I::Arithmetic { left, right, .. } => {
            f(left);
            f(right);
        }
        I::MapGet { map, key, .. } => {
            f(map);
            f(key);
        }
        I::BitsGet { src, position, segment, size, .. } => {
            f(src);
            f(position);
            if segments[segment as usize].size == SegmentSize::Register {
                f(size);
            }
        }
        I::BitsEnd { src, position, .. } => {
            f(src);
            f(position);
        }
        I::Receive { timeout, .. } => f(timeout),
        I::Constant { .. } | I::Jump { .. } | I::Accept | I::Reject => {}
    }
}
