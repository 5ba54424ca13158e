//! Evaluates the conditions of `-if` and `-elif`: constant guard expressions and `defined(NAME)`.
//! As in Erlang, a condition that fails to evaluate is simply false.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::Preprocessor;
use crate::name::Name;
use crate::tree::{BinaryOp, Expr, ExprKind, UnaryOp};

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Integer(BigInt),
    Float(f64),
    Atom(Name),
    Tuple(Vec<Value>),
    List(Vec<Value>),
}

impl Value {
    pub(super) fn is_true(&self) -> bool {
        matches!(self, Value::Atom(name) if name == "true")
    }

    fn boolean(value: bool) -> Value {
        Value::Atom(if value { "true" } else { "false" }.into())
    }

    fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Atom(name) if name == "true" => Some(true),
            Value::Atom(name) if name == "false" => Some(false),
            _ => None,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Value::Integer(_) | Value::Float(_) => 0,
            Value::Atom(_) => 1,
            Value::Tuple(_) => 2,
            Value::List(_) => 3,
        }
    }

    /// Erlang's order of terms, as far as constants go.
    fn compare(&self, other: &Value) -> Ordering {
        use Value::*;
        match (self, other) {
            (Integer(a), Integer(b)) => a.cmp(b),
            (Integer(_) | Float(_), Integer(_) | Float(_)) => {
                self.float().total_cmp(&other.float())
            }
            (Atom(a), Atom(b)) => a.cmp(b),
            (Tuple(a), Tuple(b)) => a.len().cmp(&b.len()).then_with(|| compare_all(a, b)),
            (List(a), List(b)) => compare_all(a, b),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn float(&self) -> f64 {
        match self {
            Value::Integer(value) => value.to_string().parse().unwrap_or(f64::INFINITY),
            Value::Float(value) => *value,
            _ => f64::NAN,
        }
    }
}

fn compare_all(a: &[Value], b: &[Value]) -> Ordering {
    let unequal = a.iter().zip(b).map(|(a, b)| a.compare(b)).find(|order| order.is_ne());
    unequal.unwrap_or_else(|| a.len().cmp(&b.len()))
}

impl Preprocessor<'_> {
    /// The value of a condition, or `None` when it has none.
    pub(super) fn evaluate(&self, expr: &Expr) -> Option<Value> {
        Some(match &expr.kind {
            ExprKind::Integer(value) => Value::Integer(value.to_big()),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::Char(value) => Value::Integer(BigInt::from(*value as u32)),
            ExprKind::Atom(name) => Value::Atom(name.clone()),
            ExprKind::String(text) => {
                Value::List(text.chars().map(|c| Value::Integer(BigInt::from(c as u32))).collect())
            }
            ExprKind::Tuple(elements) => Value::Tuple(self.evaluate_all(elements)?),
            ExprKind::List { elements, tail: None } => Value::List(self.evaluate_all(elements)?),
            ExprKind::Unary { op, operand } => unary(*op, self.evaluate(operand)?)?,
            ExprKind::Binary2 { op, left, right, .. } => self.binary(*op, left, right)?,
            ExprKind::Call { target, args } => self.call(target.as_atom()?, args)?,
            _ => return None,
        })
    }

    fn evaluate_all(&self, exprs: &[Expr]) -> Option<Vec<Value>> {
        exprs.iter().map(|expr| self.evaluate(expr)).collect()
    }

    fn call(&self, name: &str, args: &[Expr]) -> Option<Value> {
        if name == "defined" {
            let [arg] = args else { return None };
            let wanted = arg.as_atom().or(arg.as_var())?;
            return Some(Value::boolean(self.is_defined(wanted)));
        }
        let args = self.evaluate_all(args)?;
        Some(match (name, args.as_slice()) {
            ("is_atom", [arg]) => Value::boolean(matches!(arg, Value::Atom(_))),
            ("is_boolean", [arg]) => Value::boolean(arg.as_bool().is_some()),
            ("is_integer", [arg]) => Value::boolean(matches!(arg, Value::Integer(_))),
            ("is_float", [arg]) => Value::boolean(matches!(arg, Value::Float(_))),
            ("is_number", [arg]) => Value::boolean(arg.rank() == 0),
            ("is_list", [arg]) => Value::boolean(matches!(arg, Value::List(_))),
            ("is_tuple", [arg]) => Value::boolean(matches!(arg, Value::Tuple(_))),
            ("length", [Value::List(items)]) => Value::Integer(items.len().into()),
            ("tuple_size", [Value::Tuple(items)]) => Value::Integer(items.len().into()),
            ("abs", [Value::Integer(value)]) => {
                Value::Integer(BigInt::from(value.magnitude().clone()))
            }
            ("hd", [Value::List(items)]) => items.first()?.clone(),
            ("element", [Value::Integer(at), Value::Tuple(items)]) => {
                items.get(usize::try_from(at).ok()?.checked_sub(1)?)?.clone()
            }
            ("list_to_integer", [Value::List(items)]) => {
                let text: Option<String> = items.iter().map(digit).collect();
                Value::Integer(text?.parse().ok()?)
            }
            _ => return None,
        })
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Value> {
        use BinaryOp::*;
        let left = self.evaluate(left)?;
        match op {
            Andalso if !left.as_bool()? => return Some(left),
            Orelse if left.as_bool()? => return Some(left),
            Andalso | Orelse => return self.evaluate(right),
            _ => {}
        }
        let right = self.evaluate(right)?;
        let order = left.compare(&right);
        Some(match op {
            Equal => Value::boolean(order.is_eq()),
            NotEqual => Value::boolean(order.is_ne()),
            Less => Value::boolean(order.is_lt()),
            LessEqual => Value::boolean(order.is_le()),
            Greater => Value::boolean(order.is_gt()),
            GreaterEqual => Value::boolean(order.is_ge()),
            ExactEqual => Value::boolean(left == right),
            ExactNotEqual => Value::boolean(left != right),
            And => Value::boolean(left.as_bool()? & right.as_bool()?),
            Or => Value::boolean(left.as_bool()? | right.as_bool()?),
            Xor => Value::boolean(left.as_bool()? ^ right.as_bool()?),
            _ => arithmetic(op, left, right)?,
        })
    }
}

fn digit(value: &Value) -> Option<char> {
    match value {
        Value::Integer(code) => char::from_u32(u32::try_from(code).ok()?),
        _ => None,
    }
}

fn unary(op: UnaryOp, value: Value) -> Option<Value> {
    Some(match (op, value) {
        (UnaryOp::Not, value) => Value::boolean(!value.as_bool()?),
        (UnaryOp::Plus, value @ (Value::Integer(_) | Value::Float(_))) => value,
        (UnaryOp::Minus, Value::Integer(value)) => Value::Integer(-value),
        (UnaryOp::Minus, Value::Float(value)) => Value::Float(-value),
        (UnaryOp::Bnot, Value::Integer(value)) => Value::Integer(!value),
        _ => return None,
    })
}

fn arithmetic(op: BinaryOp, left: Value, right: Value) -> Option<Value> {
    use BinaryOp::*;
    let (a, b) = match (&left, &right) {
        (Value::Integer(a), Value::Integer(b)) => (a, b),
        (Value::List(a), Value::List(b)) if op == Append => {
            return Some(Value::List(a.iter().chain(b).cloned().collect()));
        }
        _ if left.rank() == 0 && right.rank() == 0 => {
            return float_arithmetic(op, left.float(), right.float());
        }
        _ => return None,
    };
    let zero = BigInt::from(0);
    Some(Value::Integer(match op {
        Add => a + b,
        Sub => a - b,
        Multiply => a * b,
        Divide => return float_arithmetic(op, left.float(), right.float()),
        Div if *b != zero => a / b,
        Rem if *b != zero => a % b,
        Band => a & b,
        Bor => a | b,
        Bxor => a ^ b,
        Bsl => a << u16::try_from(b).ok()?,
        Bsr => a >> u16::try_from(b).ok()?,
        _ => return None,
    }))
}

fn float_arithmetic(op: BinaryOp, a: f64, b: f64) -> Option<Value> {
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        _ => return None,
    };
    value.is_finite().then_some(Value::Float(value))
}
