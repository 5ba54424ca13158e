//! Blanks between the arguments of a label do not matter: mCRL2 writes `use(c1, T)`, everybody else `use(c1,T)`.
//! Only of labels that are a word with arguments: in `deliver a -> b Ping(1, 2)` every blank is part of the text.

use std::borrow::Cow;

/// The label without blanks around its commas and inside its brackets; quoted parts stay as they are.
///
/// ```
/// use foresee_logic::without_blanks;
/// assert_eq!(without_blanks("use(c1, f(T, F))"), "use(c1,f(T,F))");
/// assert_eq!(without_blanks("say('a, b', \"c, d\")"), "say('a, b',\"c, d\")");
/// assert_eq!(without_blanks("deliver a -> b Ping(1, 2)"), "deliver a -> b Ping(1, 2)");
/// ```
pub fn without_blanks(label: &str) -> Cow<'_, str> {
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let name_end = label.find(|c: char| !is_in_word(c)).unwrap_or(label.len());
    if !label.contains(' ') || name_end == 0 || !label[name_end..].starts_with('(') {
        return Cow::Borrowed(label);
    }
    let mut text = String::with_capacity(label.len());
    let (mut quote, mut before) = (None, ' ');
    let mut rest = label.chars().peekable();
    while let Some(character) = rest.next() {
        if quote.is_none() && character == ' ' {
            let is_after = matches!(before, ',' | '(' | ' ');
            let next = rest.clone().find(|c| *c != ' ');
            if is_after || matches!(next, Some(',' | ')')) {
                continue;
            }
        }
        // A quote inside a word is a letter of it; elsewhere it opens a quoted part.
        match quote {
            Some(open) if open == character && before != '\\' => quote = None,
            None if character == '"' || (character == '\'' && !is_in_word(before)) => {
                quote = Some(character);
            }
            _ => {}
        }
        text.push(character);
        before = character;
    }
    Cow::Owned(text)
}
