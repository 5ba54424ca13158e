//! New inputs out of old ones.
//! Why tokens: flipping bytes rarely gets past a lexer. Inputs are cut into words, numbers, quoted parts, blanks and signs, and
//! most changes move whole tokens: from the same input, from another one of the corpus, or many times over, which is how
//! nesting and long chains come about. A few changes are of bytes.

use foresee_stdx::Random;

/// An input grows no longer than this.
const LENGTH_MAX: usize = 60_000;

/// Draws inputs; a function of its seed and the corpus.
pub struct Mutator {
    random: Random,
    inputs: Vec<Vec<Vec<u8>>>,
}

impl Mutator {
    /// # Panics
    /// Without any input.
    pub fn new(corpus: &[Vec<u8>], seed: u64) -> Self {
        assert!(!corpus.is_empty(), "there is nothing to start from");
        let inputs = corpus.iter().map(|input| tokens(input)).collect();
        Mutator { random: Random::new(seed), inputs }
    }

    /// The next input.
    pub fn next_input(&mut self) -> Vec<u8> {
        let at = self.random.below(self.inputs.len() as u64) as usize;
        let mut tokens = self.inputs[at].clone();
        for _ in 0..=self.random.below(4) {
            self.change(&mut tokens);
        }
        let mut input: Vec<u8> = tokens.concat();
        if self.random.below(8) == 0 {
            self.change_bytes(&mut input);
        }
        input.truncate(LENGTH_MAX);
        input
    }

    fn change(&mut self, tokens: &mut Vec<Vec<u8>>) {
        if tokens.is_empty() {
            tokens.push(self.any_token());
        }
        let (start, end) = self.range(tokens.len());
        match self.random.below(10) {
            0 => _ = tokens.drain(start..end),
            1 => tokens.insert(start, self.any_token()),
            2 => tokens[start] = self.any_token(),
            3 => {
                let part = tokens[start..end].to_vec();
                let place = self.random.below(tokens.len() as u64 + 1) as usize;
                tokens.splice(place..place, part);
            }
            4 | 5 => {
                let part = self.foreign_part();
                tokens.splice(start..end, part);
            }
            6 => {
                let other = self.random.below(tokens.len() as u64) as usize;
                tokens.swap(start, other);
            }
            7 => self.repeat(tokens, start),
            8 => self.wrap(tokens, start, end),
            _ => tokens[start] = interesting(&mut self.random).to_vec(),
        }
    }

    /// A short part many times over.
    fn repeat(&mut self, tokens: &mut Vec<Vec<u8>>, start: usize) {
        let end = (start + 1 + self.random.below(4) as usize).min(tokens.len());
        let part: Vec<u8> = tokens[start..end].concat();
        let n = 1usize << self.random.below(13);
        let n = n.min(LENGTH_MAX / part.len().max(1));
        tokens.insert(end, part.repeat(n));
    }

    /// Brackets around a part, sometimes very many.
    fn wrap(&mut self, tokens: &mut Vec<Vec<u8>>, start: usize, end: usize) {
        const BRACKETS: [(&[u8], &[u8]); 9] = [
            (b"(", b")"),
            (b"[", b"]"),
            (b"{", b"}"),
            (b"<", b">"),
            (b"f(", b")"),
            (b"<<", b">>"),
            (b"\"", b"\""),
            (b"'", b"'"),
            (b"(* ", b" *)"),
        ];
        let (open, close) = BRACKETS[self.random.below(BRACKETS.len() as u64) as usize];
        let n = 1usize << (self.random.below(4) * self.random.below(5));
        tokens.insert(end, close.repeat(n));
        tokens.insert(start, open.repeat(n));
    }

    fn foreign_part(&mut self) -> Vec<Vec<u8>> {
        let from = self.random.below(self.inputs.len() as u64) as usize;
        if self.inputs[from].is_empty() {
            return Vec::new();
        }
        let (start, end) = self.range(self.inputs[from].len());
        self.inputs[from][start..end].to_vec()
    }

    fn any_token(&mut self) -> Vec<u8> {
        let part = self.foreign_part();
        part.into_iter().next().unwrap_or_else(|| interesting(&mut self.random).to_vec())
    }

    /// A range that is not empty, short more often than long.
    fn range(&mut self, length: usize) -> (usize, usize) {
        let start = self.random.below(length as u64) as usize;
        let longest = 1 + self.random.below((length - start) as u64);
        (start, start + 1 + self.random.below(longest) as usize)
    }

    fn change_bytes(&mut self, input: &mut Vec<u8>) {
        for _ in 0..=self.random.below(3) {
            if input.is_empty() {
                return;
            }
            let at = self.random.below(input.len() as u64) as usize;
            match self.random.below(4) {
                0 => input[at] ^= 1 << self.random.below(8),
                1 => input[at] = self.random.below(256) as u8,
                2 => _ = input.remove(at),
                _ => input.truncate(at),
            }
        }
    }
}

/// Parts that are at the edge of something.
fn interesting(random: &mut Random) -> &'static [u8] {
    const PARTS: [&[u8]; 26] = [
        b"0",
        b"-1",
        b"1",
        b"4294967295",
        b"4294967296",
        b"18446744073709551616",
        b"1e999",
        b"16#FF",
        b"\n",
        b"\r\n",
        b"\t",
        b"\0",
        b"\xff",
        b"\xc3\xa9",
        b"\xe2\x88\xa7",
        b"\"",
        b"'",
        b"\\",
        b"%",
        b"(",
        b")",
        b"[",
        b"]",
        b"*",
        b",",
        b".",
    ];
    PARTS[random.below(PARTS.len() as u64) as usize]
}

/// Words, numbers, blanks, quoted parts of one line, and single signs.
fn tokens(input: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < input.len() {
        let rest = &input[at..];
        let while_is = |is: fn(&u8) -> bool| rest.iter().take_while(|byte| is(byte)).count();
        let length = match rest[0] {
            b if b.is_ascii_alphanumeric() || b == b'_' => {
                while_is(|b| b.is_ascii_alphanumeric() || *b == b'_')
            }
            b if b.is_ascii_whitespace() => while_is(u8::is_ascii_whitespace),
            quote @ (b'"' | b'\'') => {
                let close = rest[1..].iter().position(|b| *b == quote || *b == b'\n');
                close.filter(|at| rest[at + 1] == quote).map_or(1, |at| at + 2)
            }
            _ => 1,
        };
        found.push(input[at..at + length].to_vec());
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_input_and_inputs_are_a_function_of_the_seed() {
        let text = b"act a1: D % \"x y\" 'z\n (b)".to_vec();
        assert_eq!(tokens(&text).concat(), text);
        assert!(tokens(&text).contains(&b"\"x y\"".to_vec()));
        let draw = |seed| {
            let mut mutator = Mutator::new(std::slice::from_ref(&text), seed);
            (0..200).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
        assert!(draw(3).iter().all(|input| input.len() <= LENGTH_MAX));
    }
}
