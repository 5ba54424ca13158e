//! Codes: each kind of news has one, with a title; `docs/diagnostics` has a page about it.

use std::fmt;

/// A stable code such as `E0121`.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Declares the codes of a crate: a constant for each, and `ALL_CODES`, every code with its title, in order.
///
/// ```
/// mod codes {
///     foresee_text::codes! { pub(crate),
///         SYNTAX "E0901" "the text is not well formed";
///     }
/// }
/// assert_eq!(codes::ALL_CODES, [(codes::SYNTAX, "the text is not well formed")]);
/// ```
#[macro_export]
macro_rules! codes {
    ($visible:vis, $($name:ident $code:literal $title:literal;)*) => {
        $(#[doc = $title] $visible const $name: $crate::Code = $crate::Code($code);)*
        /// Every code of this crate with its title, in order.
        pub const ALL_CODES: &[($crate::Code, &str)] = &[$(($name, $title),)*];
    };
}
