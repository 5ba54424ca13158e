//! Values of any type behind one type: operations and results on their way to a history.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A value of a user's type, comparable and hashable without naming the type.
///
/// ```
/// use foresee_node::Value;
/// let value = Value::new(("put", 7));
/// assert_eq!(value, Value::new(("put", 7)));
/// assert_ne!(value, Value::new("put"));
/// assert_eq!(value.get::<(&str, i32)>(), Some(&("put", 7)));
/// ```
#[derive(Clone)]
pub struct Value(Arc<dyn Erased>);

impl Value {
    pub fn new<T: Eq + Hash + fmt::Debug + Send + Sync + 'static>(value: T) -> Self {
        Value(Arc::new(value))
    }

    /// The value, if it is a `T`.
    pub fn get<T: 'static>(&self) -> Option<&T> {
        self.0.as_any().downcast_ref()
    }

    /// The name of the value's type, for messages.
    pub fn type_name(&self) -> &'static str {
        self.0.type_name()
    }
}

trait Erased: fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Any) -> bool;
    fn feed(&self, state: &mut dyn Hasher);
    fn type_name(&self) -> &'static str;
}

impl<T: Eq + Hash + fmt::Debug + Send + Sync + 'static> Erased for T {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
    fn feed(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }
    fn type_name(&self) -> &'static str {
        std::any::type_name::<T>()
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other.0.as_any())
    }
}
impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.feed(state);
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
