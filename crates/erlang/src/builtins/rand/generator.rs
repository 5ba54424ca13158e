//! The generators behind module `rand`: their states, steps, jumps, and what is made of their numbers.
//! Papers: Vigna, "Further scramblings of Marsaglia's xorshift generators" (2014); Blackman and Vigna, "Scrambled linear
//! pseudorandom number generators" (2021); Marsaglia and Tsang, "The ziggurat method" (2000).
//! Known difference: the tables of `normal` are computed, Erlang's are written down with more digits; draws agree to
//! about 13 places.
//! Not here: the older `exs64`, `exsplus`, `exs1024`, and jumps of the large generators, which are reported.

use crate::builtins::Outcome;
use crate::machine::Raise;
use crate::term::{Map, Term, number};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::LazyLock;

pub(super) const MASK58: u64 = (1 << 58) - 1;
pub(super) const MASK59: u64 = (1 << 59) - 1;
pub(super) const TWO_POW_MINUS_53: f64 = 1.110_223_024_625_156_6e-16;

fn rotated58(x: u64, n: u32) -> u64 {
    (x << n & MASK58) | x >> (58 - n)
}

pub(super) fn function_clause() -> Raise {
    Raise::error(a!("function_clause"))
}

/// SplitMix64: a number and the next state.
pub(super) fn splitmix(x: u64) -> (u64, u64) {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31), x)
}

/// The low bits of SplitMix64 that are not all zero.
fn splitmix_masked(mut x: u64, mask: u64) -> (u64, u64) {
    loop {
        let (z, next) = splitmix(x);
        if z & mask != 0 {
            return (z & mask, next);
        }
        x = next;
    }
}

fn splitmix_words(n: usize, mut x: u64, mask: u64) -> Vec<u64> {
    let word = |_| {
        let (z, next) = splitmix_masked(x, mask);
        x = next;
        z
    };
    (0..n).map(word).collect()
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Exsss,
    Exsp,
    Exrop,
    Exro928ss,
    Exs1024s,
    Dummy,
}

const KINDS: [(Kind, &str); 6] = [
    (Kind::Exsss, "exsss"),
    (Kind::Exsp, "exsp"),
    (Kind::Exrop, "exrop"),
    (Kind::Exro928ss, "exro928ss"),
    (Kind::Exs1024s, "exs1024s"),
    (Kind::Dummy, "dummy"),
];

impl Kind {
    pub(super) fn of(term: &Term) -> Result<Kind, Raise> {
        let name = term.as_atom().ok_or_else(function_clause)?.text();
        match name {
            "default" => Ok(Kind::Exsss),
            "exs64" | "exsplus" | "exs1024" => {
                Err(Raise::unmodelled(format!("the generator rand:{name}")))
            }
            _ => KINDS
                .iter()
                .find(|(_, own)| *own == name)
                .map(|(kind, _)| *kind)
                .ok_or_else(function_clause),
        }
    }

    pub(super) fn name(self) -> Term {
        let (_, name) = KINDS.iter().find(|(kind, _)| *kind == self).expect("every kind is listed");
        Term::atom(name)
    }

    fn bits(self) -> u32 {
        if self == Kind::Exs1024s { 64 } else { 58 }
    }

    /// How many low bits of each number are poor.
    fn weak_bits(self) -> u32 {
        match self {
            Kind::Exsp | Kind::Exrop => 1,
            Kind::Exs1024s => 3,
            _ => 0,
        }
    }

    fn is_ring(self) -> bool {
        matches!(self, Kind::Exro928ss | Kind::Exs1024s)
    }
}

/// A generator. Pairs have two words; the large ones a ring of sixteen, split where it is read.
pub(super) struct State {
    pub(super) kind: Kind,
    front: Vec<u64>,
    /// Words passed, the last one first.
    passed: Vec<u64>,
}

impl State {
    fn new(kind: Kind, front: Vec<u64>) -> State {
        State { kind, front, passed: Vec::new() }
    }

    /// From an integer, three integers, or a list of words.
    pub(super) fn seeded(kind: Kind, seed: &Term) -> Result<State, Raise> {
        let n_words = match kind {
            Kind::Exro928ss | Kind::Exs1024s => 16,
            Kind::Dummy => 1,
            _ => 2,
        };
        let mask = if kind == Kind::Exs1024s { u64::MAX } else { MASK58 };
        if let Some(x) = low_word(seed) {
            return Ok(State::new(kind, splitmix_words(n_words, x, mask)));
        }
        if let Some([a, b, c]) = seed.as_tuple() {
            let word = |term: &Term| low_word(term).ok_or_else(function_clause);
            return State::from_three(kind, word(a)?, word(b)?, word(c)?);
        }
        let words = seed.to_vec().ok_or_else(function_clause)?;
        let words = words.iter().map(|word| {
            low_word(word).map(|w| w & mask).ok_or_else(|| Raise::error(a!("non_integer_seed")))
        });
        let mut words = words.collect::<Result<Vec<u64>, _>>()?;
        if words.len() > n_words {
            return Err(Raise::error(a!("too_many_seed_integers")));
        }
        if words.iter().all(|word| *word == 0) {
            return Err(Raise::error(a!("zero_seed")));
        }
        words.resize(n_words, 0);
        Ok(State::new(kind, words))
    }

    fn from_three(kind: Kind, a: u64, b: u64, c: u64) -> Result<State, Raise> {
        let front = match kind {
            Kind::Exsss => {
                let (_, x) = splitmix_masked(a, MASK58);
                let (s0, x) = splitmix_masked(b ^ x, MASK58);
                vec![s0, splitmix_masked(c ^ x, MASK58).0]
            }
            Kind::Exro928ss => {
                let (s0, x) = splitmix_masked(a, MASK58);
                let (s1, x) = splitmix_masked(b ^ x, MASK58);
                let (s2, x) = splitmix_masked(c ^ x, MASK58);
                let mut words = vec![s0, s1, s2];
                words.extend(splitmix_words(13, x, MASK58));
                words
            }
            Kind::Exrop => {
                let scaled = |x: u64, by: u64| x.wrapping_mul(by).wrapping_add(1) & MASK58;
                let mut state =
                    State::new(kind, vec![scaled(a, 4_294_967_197), scaled(b, 4_294_967_231)]);
                state.next();
                state.front[0] = scaled(c, 4_294_967_279);
                state.next();
                state.front
            }
            Kind::Exsp => {
                let scaled = |x: u64, by: u64| x.wrapping_mul(by).wrapping_add(1) & MASK58;
                let mut state =
                    State::new(kind, vec![scaled(a, 4_294_967_197), scaled(b, 4_294_967_231)]);
                state.next();
                state.front = vec![scaled(c, 4_294_967_279), state.front[1]];
                state.next();
                state.front
            }
            Kind::Dummy => {
                let (_, x) = splitmix(a);
                let (_, x) = splitmix(b ^ x);
                vec![splitmix(c ^ x).0 & MASK58]
            }
            Kind::Exs1024s => {
                let what = "seeding exs1024s with three integers".to_owned();
                return Err(Raise::unmodelled(what));
            }
        };
        Ok(State::new(kind, front))
    }

    /// The words of a state that a program holds, in either of its forms.
    pub(super) fn of(term: &Term) -> Result<State, Raise> {
        let Some([handler, words]) = term.as_tuple() else { return Err(function_clause()) };
        let kind = match handler.as_map() {
            Some(map) => Kind::of(map.get(&a!("type")).ok_or_else(function_clause)?)?,
            None => Kind::of(handler)?,
        };
        let list = |term: &Term| -> Result<Vec<u64>, Raise> {
            let words = term.to_vec().ok_or_else(function_clause)?;
            words.iter().map(|word| low_word(word).ok_or_else(function_clause)).collect()
        };
        if kind == Kind::Dummy {
            return Ok(State::new(kind, vec![low_word(words).ok_or_else(function_clause)?]));
        }
        if kind.is_ring() {
            let Some([front, passed]) = words.as_tuple() else { return Err(function_clause()) };
            let state = State { kind, front: list(front)?, passed: list(passed)? };
            let whole = !state.front.is_empty() && state.front.len() + state.passed.len() == 16;
            return whole.then_some(state).ok_or_else(function_clause);
        }
        let Term::Cons(pair) = words else { return Err(function_clause()) };
        match (low_word(&pair.head), low_word(&pair.tail)) {
            (Some(a), Some(b)) => Ok(State::new(kind, vec![a, b])),
            _ => Err(function_clause()),
        }
    }

    pub(super) fn words(&self) -> Term {
        let list =
            |words: &[u64]| Term::list(words.iter().map(|w| integer(*w)).collect::<Vec<_>>());
        match self.kind {
            Kind::Dummy => integer(self.front[0]),
            kind if kind.is_ring() => Term::tuple([list(&self.front), list(&self.passed)]),
            _ => Term::cons(integer(self.front[0]), integer(self.front[1])),
        }
    }

    pub(super) fn term(&self) -> Term {
        let handler = Map::from_pairs([(a!("type"), self.kind.name())]);
        Term::tuple([Term::map(handler), self.words()])
    }

    /// The next number, of `bits` bits.
    pub(super) fn next(&mut self) -> u64 {
        match self.kind {
            Kind::Exsss | Kind::Exsp => {
                let (s1, s0) = (self.front[0], self.front[1] & MASK58);
                let shifted = (s1 & MASK58) ^ (s1 << 24 & MASK58);
                let new = shifted ^ s0 ^ (shifted >> 11) ^ (s0 >> 41);
                self.front = vec![s0, new];
                if self.kind == Kind::Exsp { (s0 + new) & MASK58 } else { star_star(s0) }
            }
            Kind::Exrop => {
                let (s0, s1) = (self.front[0], self.front[1]);
                let both = s1 ^ s0;
                self.front =
                    vec![rotated58(s0, 24) ^ both ^ (both << 2 & MASK58), rotated58(both, 35)];
                (s0 + s1) & MASK58
            }
            Kind::Exro928ss => {
                self.turn();
                let (s15, s0) = (self.front[0], self.front[1] & MASK58);
                let both = (s15 & MASK58) ^ s0;
                let new = rotated58(s0, 44) ^ both ^ (both << 9 & MASK58);
                self.front.remove(0);
                self.front[0] = rotated58(both, 45);
                self.passed.insert(0, new);
                star_star(s0)
            }
            Kind::Exs1024s => {
                self.turn();
                let (s0, s1) = (self.front[0], self.front[1]);
                let shifted = s1 ^ (s1 << 31);
                let new = (s0 ^ (s0 >> 30)) ^ (shifted ^ (shifted >> 11));
                self.front.remove(0);
                self.front[0] = new;
                self.passed.insert(0, s0);
                new.wrapping_mul(1_181_783_497_276_652_981)
            }
            Kind::Dummy => {
                let word = self.front[0];
                self.front[0] = word ^ MASK58;
                word
            }
        }
    }

    /// A ring read to its last word starts over.
    fn turn(&mut self) {
        if self.front.len() == 1 {
            self.front.extend(std::mem::take(&mut self.passed).into_iter().rev());
        }
    }

    /// A float of 53 bits below 1.
    pub(super) fn float(&mut self) -> f64 {
        let number = self.next();
        if self.kind == Kind::Dummy {
            return 0.5;
        }
        (number >> (self.kind.bits() - 53)) as f64 * TWO_POW_MINUS_53
    }

    /// A float with full precision near 0 too.
    pub(super) fn real(&mut self) -> f64 {
        let bits = self.kind.bits();
        let mut number = u128::from(self.next() >> (bits - 56));
        let mut exponent = -56;
        while number < 1 << 52 {
            if exponent <= -1064 {
                return 0.0;
            }
            // More bits below those that were all zero.
            number = number << 56 | u128::from(self.next() >> (bits - 56));
            exponent -= 56;
        }
        let extra = (128 - number.leading_zeros()) as i32 - 53;
        ((number >> extra) as f64) * 2f64.powi(exponent + extra)
    }

    /// An integer from 1 to the bound.
    pub(super) fn below(&mut self, bound: &Term) -> Outcome {
        let range = number::to_big(bound).filter(|n| *n >= BigInt::from(1));
        let range = range.ok_or_else(function_clause)?;
        if self.kind == Kind::Dummy {
            self.next();
            return Ok(Term::Int(1));
        }
        let bits = self.kind.bits();
        loop {
            let drawn = self.next();
            let Some(small) = range.to_u128().filter(|range| *range <= 1 << bits) else {
                return Ok(number::integer(self.below_large(&range, drawn) + 1));
            };
            let wide = u128::from(drawn);
            if wide < small {
                return Ok(number::integer(BigInt::from(wide + 1)));
            }
            let rest = wide % small;
            if wide - rest <= (1 << bits) - small {
                return Ok(number::integer(BigInt::from(rest + 1)));
            }
        }
    }

    /// For bounds beyond the generator's numbers: several of them in a row.
    fn below_large(&mut self, range: &BigInt, mut first: u64) -> BigInt {
        let (bits, weak) = (self.kind.bits(), self.kind.weak_bits());
        let shift = bits - weak;
        let power_of_two = (range & (range - 1)) == BigInt::from(0);
        loop {
            let mut left: BigInt = range >> if power_of_two { bits } else { bits - 2 };
            let (mut value, mut n_bits) = (BigInt::from(first), bits);
            while left > BigInt::from(1) {
                // The poor bits make room for the next number.
                value = (((value >> weak) << weak) << shift) | BigInt::from(self.next());
                n_bits += shift;
                left >>= shift;
            }
            if power_of_two {
                return value & (range - 1);
            }
            let rest = &value % range;
            if value - &rest <= (BigInt::from(1) << n_bits) - range {
                return rest;
            }
            first = self.next();
        }
    }

    pub(super) fn bytes(&mut self, n: &Term) -> Outcome {
        let n = n.as_usize().ok_or_else(function_clause)?;
        let bits = self.kind.bits();
        let good = (bits - self.kind.weak_bits()) / 8;
        foresee_stdx::halt::ask(n.saturating_mul(2));
        let mut bytes = Vec::with_capacity(n);
        while n - bytes.len() > good as usize {
            let word = self.next() >> (bits - good * 8);
            bytes.extend(&word.to_be_bytes()[8 - good as usize..]);
        }
        let left = (n - bytes.len()) as u32;
        let word = self.next();
        // The last word is shifted as if it had only its good bits, as in Erlang.
        let word = word.checked_shr(good * 8 - left * 8).unwrap_or(0);
        bytes.extend(&word.to_be_bytes()[8 - left as usize..]);
        Ok(Term::binary(&bytes))
    }

    pub(super) fn normal(&mut self) -> f64 {
        let tables = &*ZIGGURAT;
        let bits = self.kind.bits();
        loop {
            let word = self.next();
            let negative = word >> (bits - 52) & 1 == 1;
            let number = word >> (bits - 51);
            let at = (number & 0xFF) as usize;
            let size = number as f64 * tables.width[at];
            let x = if negative { -size } else { size };
            if number < tables.inside[at] {
                return x;
            }
            if at == 0 {
                return self.tail(negative);
            }
            let u = self.float();
            let (high, low) = (tables.height[at - 1], tables.height[at]);
            if (high - low) * u + low < (-0.5 * x * x).exp() {
                return x;
            }
        }
    }

    fn tail(&mut self, negative: bool) -> f64 {
        loop {
            let x = -(1.0 / RIGHTMOST) * self.float().ln();
            let y = -self.float().ln();
            if y + y > x * x {
                return if negative { -RIGHTMOST - x } else { RIGHTMOST + x };
            }
        }
    }

    pub(super) fn normal_of(&mut self, args: &[Term]) -> Outcome {
        let value = |term: &Term| number::to_float(term).ok_or_else(function_clause);
        let (mean, variance) = (value(&args[0])?, value(&args[1])?);
        if variance <= 0.0 {
            return Err(function_clause());
        }
        Ok(Term::Float(mean + variance.sqrt() * self.normal()))
    }

    /// As many steps as the generator's jump has, by its polynomial.
    pub(super) fn jump(&mut self) -> Result<(), Raise> {
        let polynomial: u128 = match self.kind {
            Kind::Exsss | Kind::Exsp => 0x000D_174A_83E1_7DE2_302F_8EA6_BC32_C797,
            Kind::Exrop => 0x0009_8632_00F8_3FCD_4A11_2932_41FC_B12A,
            Kind::Dummy => return Err(Raise::error(a!("not_implemented"))),
            kind => return Err(Raise::unmodelled(format!("a jump of rand's {}", kind.name()))),
        };
        let mut sum = [0, 0];
        for bit in 0..116 {
            if polynomial >> bit & 1 == 1 {
                sum = [sum[0] ^ self.front[0], sum[1] ^ self.front[1]];
            }
            self.next();
        }
        self.front = sum.to_vec();
        Ok(())
    }
}

/// The scrambler of the generators whose names end in `ss`.
fn star_star(s: u64) -> u64 {
    let five = s.wrapping_add(s << 2 & MASK58) & MASK58;
    let turned = rotated58(five, 7);
    turned.wrapping_add(turned << 3 & MASK58) & MASK58
}

pub(super) fn integer(word: u64) -> Term {
    number::integer(BigInt::from(word))
}

/// An integer modulo 2^64.
pub(super) fn low_word(term: &Term) -> Option<u64> {
    number::low_bits(term, 64).and_then(|low| low.to_u64())
}

const RIGHTMOST: f64 = 3.654_152_885_361_009;
const AREA: f64 = 0.004_928_673_233_974_652;

/// The layers under the bell curve.
struct Ziggurat {
    inside: Vec<u64>,
    width: Vec<f64>,
    height: Vec<f64>,
}

static ZIGGURAT: LazyLock<Ziggurat> = LazyLock::new(|| {
    let scale = 2f64.powi(51);
    let bell = |x: f64| (-0.5 * x * x).exp();
    let (mut inside, mut width, mut height) = (vec![0; 256], vec![0.0; 256], vec![1.0; 256]);
    let base = AREA / bell(RIGHTMOST);
    inside[0] = (RIGHTMOST / base * scale) as u64;
    (width[0], width[255]) = (base / scale, RIGHTMOST / scale);
    height[255] = bell(RIGHTMOST);
    let mut x = RIGHTMOST;
    for i in (1..255).rev() {
        let next = (-2.0 * (AREA / x + bell(x)).ln()).sqrt();
        inside[i + 1] = (next / x * scale) as u64;
        (width[i], height[i]) = (next / scale, bell(next));
        x = next;
    }
    Ziggurat { inside, width, height }
});
