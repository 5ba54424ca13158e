//! Bytecode: what the compiler writes and the machine runs.
//! A function has a window of registers on its process's stack. Arguments are put in consecutive registers, and the
//! window of the called function starts at the first of them, so a call moves nothing; the result comes back there.
//! Exceptions are found by a static table of ranges ([`Handler`]), so entering `try` costs nothing and leaves no trace
//! in the state. `live` says for every place where a process may rest which registers still matter: the rest is
//! forgotten, or values nobody will read would tell equal states apart.
//! Not here: how instructions are made (`compile`), run (`machine`).

use crate::term::{Atom, Term};
use rustc_hash::FxHashMap;

/// A register, relative to the window of its function.
pub(crate) type Reg = u16;
/// The place of an instruction in its function.
pub(crate) type Label = u32;
/// The label that means "raise the error" where an instruction may also fail quietly.
pub(crate) const RAISE: Label = u32::MAX;

/// A compiled function.
#[derive(Debug)]
pub struct Function {
    pub module: Atom,
    pub name: Atom,
    /// The number of arguments; for the code of a fun, without its environment.
    pub arity: u32,
    /// The number of values of the environment, which follow the arguments.
    pub n_caught: u32,
    pub exported: bool,
    pub n_registers: u16,
    pub code: Vec<Instruction>,
    /// The source line of each instruction.
    pub lines: Vec<u32>,
    /// The source file.
    pub file: Atom,
    pub constants: Vec<Term>,
    pub segments: Vec<Segment>,
    /// Innermost first.
    pub handlers: Vec<Handler>,
    /// The registers that matter after a call or a visible operation at that place, increasing.
    pub live: FxHashMap<Label, Box<[Reg]>>,
}

impl Function {
    pub fn line(&self, pc: Label) -> u32 {
        self.lines.get(pc as usize).copied().unwrap_or(0)
    }

    pub fn handler(&self, pc: Label) -> Option<&Handler> {
        self.handlers.iter().find(|handler| (handler.start..handler.end).contains(&pc))
    }
}

/// An exception at a place in `start..end` continues at `target` with class, reason and stack trace in three registers
/// from `registers`.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    pub start: Label,
    pub end: Label,
    pub target: Label,
    pub registers: Reg,
    /// Where it begins in the source.
    pub line: u32,
    pub kind: HandlerKind,
}

/// What stands in the source for a handler.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum HandlerKind {
    /// `try … catch`; what no clause wants goes on.
    Try,
    /// `catch …`.
    Catch,
    /// `after …`, which lets everything go on.
    After,
}

/// One operation.
#[derive(Clone, Copy, Debug)]
pub enum Instruction {
    Move {
        dst: Reg,
        src: Reg,
    },
    /// A move whose source is not needed afterwards, so that nothing is counted up and down.
    Take {
        dst: Reg,
        src: Reg,
    },
    Constant {
        dst: Reg,
        index: u32,
    },

    Cons {
        dst: Reg,
        head: Reg,
        tail: Reg,
    },
    /// A tuple of the `n` registers from `start`.
    Tuple {
        dst: Reg,
        start: Reg,
        n: u16,
    },
    /// `exact` is `:=`: the key must be there.
    MapPut {
        dst: Reg,
        map: Reg,
        key: Reg,
        value: Reg,
        exact: bool,
        fail: Label,
    },
    /// A fun of function `function` whose environment is the `n` registers from `start`.
    Closure {
        dst: Reg,
        function: u32,
        start: Reg,
        n: u16,
    },
    /// A bit string of segments `first..first + n`, whose values and sizes are in registers from `start`.
    BitsBuild {
        dst: Reg,
        first: u32,
        n: u16,
        start: Reg,
        fail: Label,
    },

    Jump {
        to: Label,
    },
    /// Continues if `src` is `true`.
    IsTrue {
        src: Reg,
        fail: Label,
    },
    /// `andalso` (`on` is false) and `orelse`: leaves with `src` if it is `on`; anything else than a boolean is an error.
    ShortCut {
        src: Reg,
        on: bool,
        to: Label,
        fail: Label,
    },
    /// Continues if the comparison holds.
    IsOrdered {
        op: Comparison,
        left: Reg,
        right: Reg,
        fail: Label,
    },
    Compare {
        op: Comparison,
        dst: Reg,
        left: Reg,
        right: Reg,
    },
    Arithmetic {
        op: Operation,
        dst: Reg,
        left: Reg,
        right: Reg,
        fail: Label,
    },
    /// Continues if `src` is of that type.
    IsType {
        of: TypeTest,
        src: Reg,
        fail: Label,
    },
    /// Continues if `src =:=` the constant.
    IsConstant {
        src: Reg,
        index: u32,
        fail: Label,
    },
    IsSmall {
        src: Reg,
        value: i32,
        fail: Label,
    },
    IsNil {
        src: Reg,
        fail: Label,
    },
    /// Continues, taken apart, if `src` is a list cell.
    IsCons {
        src: Reg,
        head: Reg,
        tail: Reg,
        fail: Label,
    },
    IsTuple {
        src: Reg,
        n: u16,
        fail: Label,
    },
    /// Element `index` (from 0) of what is known to be a tuple long enough.
    Element {
        dst: Reg,
        src: Reg,
        index: u16,
    },
    MapGet {
        dst: Reg,
        map: Reg,
        key: Reg,
        fail: Label,
    },

    /// Takes segment `segment` at bit `position` and moves the position; a size is in `size` if the segment says so.
    BitsGet {
        dst: Reg,
        src: Reg,
        position: Reg,
        segment: u32,
        size: Reg,
        fail: Label,
    },
    /// Continues if nothing is left.
    BitsEnd {
        src: Reg,
        position: Reg,
        fail: Label,
    },

    Call {
        function: u32,
        start: Reg,
        n: u16,
    },
    TailCall {
        function: u32,
        start: Reg,
        n: u16,
    },
    /// The result takes the place of the first argument.
    Builtin {
        builtin: u32,
        start: Reg,
        n: u16,
        fail: Label,
    },
    CallFun {
        fun: Reg,
        start: Reg,
        n: u16,
        tail: bool,
    },
    /// `module` and `module + 1` hold module and function.
    Apply {
        module: Reg,
        start: Reg,
        n: u16,
        tail: bool,
    },
    Return {
        src: Reg,
    },

    /// Waits. A message is put in `dst` and tried by what follows, which ends in `Accept` or `Reject`; after
    /// `timeout` milliseconds (or never: `infinity`) control goes to `after`.
    Receive {
        dst: Reg,
        timeout: Reg,
        after: Label,
    },
    Accept,
    Reject,

    Fail {
        kind: Failure,
        src: Reg,
    },
    /// Raises what three registers from `start` hold.
    Reraise {
        start: Reg,
    },
    /// The value of `catch E` for an exception in three registers from `start`.
    CatchValue {
        dst: Reg,
        start: Reg,
    },
}

impl Instruction {
    /// Visits where it may go other than to the next instruction.
    pub(crate) fn for_each_label(&mut self, mut f: impl FnMut(&mut Label)) {
        use Instruction as I;
        match self {
            I::Jump { to } => f(to),
            I::ShortCut { to, fail, .. } => {
                f(to);
                f(fail);
            }
            I::MapPut { fail, .. }
            | I::BitsBuild { fail, .. }
            | I::IsTrue { fail, .. }
            | I::IsOrdered { fail, .. }
            | I::Arithmetic { fail, .. }
            | I::IsType { fail, .. }
            | I::IsConstant { fail, .. }
            | I::IsSmall { fail, .. }
            | I::IsNil { fail, .. }
            | I::IsCons { fail, .. }
            | I::IsTuple { fail, .. }
            | I::MapGet { fail, .. }
            | I::BitsGet { fail, .. }
            | I::BitsEnd { fail, .. }
            | I::Builtin { fail, .. } => f(fail),
            I::Receive { after, .. } => f(after),
            _ => {}
        }
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ExactEqual,
    ExactNotEqual,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Quotient,
    Remainder,
    And,
    Or,
    Xor,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Append,
    ListSubtract,
    /// Unary ones take `left` twice.
    Negate,
    Plus,
    BitNot,
    Not,
}

impl Operation {
    /// The name of the function in module `erlang`.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Add | Operation::Plus => "+",
            Operation::Subtract | Operation::Negate => "-",
            Operation::Multiply => "*",
            Operation::Divide => "/",
            Operation::Quotient => "div",
            Operation::Remainder => "rem",
            Operation::And => "and",
            Operation::Or => "or",
            Operation::Xor => "xor",
            Operation::BitAnd => "band",
            Operation::BitOr => "bor",
            Operation::BitXor => "bxor",
            Operation::ShiftLeft => "bsl",
            Operation::ShiftRight => "bsr",
            Operation::Append => "++",
            Operation::ListSubtract => "--",
            Operation::BitNot => "bnot",
            Operation::Not => "not",
        }
    }

    pub fn is_unary(self) -> bool {
        matches!(self, Operation::Negate | Operation::Plus | Operation::BitNot | Operation::Not)
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TypeTest {
    Atom,
    Integer,
    Float,
    Number,
    Pid,
    Port,
    Reference,
    Tuple,
    List,
    Map,
    Binary,
    Bitstring,
    Function,
    Boolean,
}

impl TypeTest {
    pub const ALL: [(&'static str, TypeTest); 14] = [
        ("is_atom", TypeTest::Atom),
        ("is_integer", TypeTest::Integer),
        ("is_float", TypeTest::Float),
        ("is_number", TypeTest::Number),
        ("is_pid", TypeTest::Pid),
        ("is_port", TypeTest::Port),
        ("is_reference", TypeTest::Reference),
        ("is_tuple", TypeTest::Tuple),
        ("is_list", TypeTest::List),
        ("is_map", TypeTest::Map),
        ("is_binary", TypeTest::Binary),
        ("is_bitstring", TypeTest::Bitstring),
        ("is_function", TypeTest::Function),
        ("is_boolean", TypeTest::Boolean),
    ];

    pub fn holds(self, term: &Term) -> bool {
        match self {
            TypeTest::Atom => matches!(term, Term::Atom(_)),
            TypeTest::Integer => matches!(term, Term::Int(_) | Term::Big(_)),
            TypeTest::Float => matches!(term, Term::Float(_)),
            TypeTest::Number => matches!(term, Term::Int(_) | Term::Big(_) | Term::Float(_)),
            TypeTest::Pid => matches!(term, Term::Pid(_)),
            TypeTest::Port => false,
            TypeTest::Reference => matches!(term, Term::Ref(..)),
            TypeTest::Tuple => matches!(term, Term::Tuple(_)),
            TypeTest::List => matches!(term, Term::Nil | Term::Cons(_) | Term::Trace(_)),
            TypeTest::Map => matches!(term, Term::Map(_)),
            TypeTest::Binary => matches!(term, Term::Bits(bits) if bits.is_binary()),
            TypeTest::Bitstring => matches!(term, Term::Bits(_)),
            TypeTest::Function => matches!(term, Term::Fun(_)),
            TypeTest::Boolean => term.as_bool().is_some(),
        }
    }
}

/// Errors of the language itself.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Failure {
    BadMatch,
    CaseClause,
    IfClause,
    TryClause,
    ElseClause,
    /// The arguments are in the first registers.
    FunctionClause,
    BadRecord,
    BadGenerator,
    BadFilter,
    BadMap,
}

/// One segment of a bit string, built or matched.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Segment {
    pub kind: SegmentKind,
    pub size: SegmentSize,
    pub unit: u16,
    pub signed: bool,
    pub little: bool,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SegmentKind {
    Integer,
    Float,
    /// `binary` and `bitstring`; they differ in their unit.
    Bits,
    Utf8,
    Utf16,
    Utf32,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SegmentSize {
    /// All that is left (matching), all there is (building); UTF segments have their own size.
    All,
    Fixed(u32),
    /// In a register: when building, the one after the value.
    Register,
}
