//! Atoms known when we are compiled.

/// The atom with a text known when we are compiled; looked up once.
macro_rules! atom {
    ($text:expr) => {{
        static ATOM: std::sync::LazyLock<$crate::term::Atom> =
            std::sync::LazyLock::new(|| $crate::term::Atom::new($text));
        *ATOM
    }};
}

/// The term of an atom with a known text.
macro_rules! a {
    ($text:expr) => {
        $crate::term::Term::Atom(atom!($text))
    };
}
