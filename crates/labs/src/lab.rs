//! What a lab is made of: parts, and tests with numbers, names, categories and points.

use crate::{Plan, SetUp};
use std::fmt;
use std::str::FromStr;

/// An exercise, with the tests for one solution of it.
#[derive(Clone)]
pub struct Lab {
    /// `lab1`.
    pub id: &'static str,
    pub title: &'static str,
    pub parts: Vec<Part>,
    /// By number.
    pub tests: Vec<Test>,
    /// The world behind the lab's name where no test is named.
    pub standard: SetUp,
}

/// A part of a lab.
#[derive(Clone, Debug)]
pub struct Part {
    pub number: u32,
    pub title: &'static str,
}

/// One test: everything there is to know about it, before it is run.
#[derive(Clone)]
pub struct Test {
    pub number: Number,
    pub name: &'static str,
    pub categories: Vec<Category>,
    pub points: u32,
    pub plan: Plan,
    /// Whether it is the teacher's own: what it shows is told, the run that shows it is not given away.
    pub is_hidden: bool,
}

/// `PART.NUMBER`.
///
/// ```
/// use foresee_labs::Number;
/// let number: Number = "3.22".parse().unwrap();
/// assert_eq!((number.part, number.index, number.to_string().as_str()), (3, 22, "3.22"));
/// assert!("3.".parse::<Number>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Number {
    pub part: u32,
    pub index: u32,
}

/// What kind of test it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Category {
    /// A function is called.
    Unit,
    /// One or more runs in virtual time.
    Run,
    /// The network of the run loses and doubles messages.
    Unreliable,
    /// Orders of events are searched.
    Search,
}

impl Category {
    pub const ALL: [Category; 4] =
        [Category::Unit, Category::Run, Category::Unreliable, Category::Search];

    /// The word in JSON and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Category::Unit => "unit",
            Category::Run => "run",
            Category::Unreliable => "unreliable",
            Category::Search => "search",
        }
    }
}

impl Lab {
    /// The test with this number.
    pub fn test(&self, number: Number) -> Option<&Test> {
        self.tests.iter().find(|test| test.number == number)
    }

    /// All points there are.
    pub fn points(&self) -> u32 {
        self.tests.iter().map(|test| test.points).sum()
    }

    /// Adds a test to a part; it gets the next number there. Its categories follow from its plan.
    #[must_use]
    pub fn with(mut self, part: u32, name: &'static str, points: u32, plan: Plan) -> Self {
        assert!(self.parts.iter().any(|known| known.number == part), "there is no part {part}");
        let in_part = self.tests.iter().filter(|test| test.number.part == part);
        let number = Number { part, index: in_part.count() as u32 + 1 };
        let categories = plan.categories();
        self.tests.push(Test { number, name, categories, points, plan, is_hidden: false });
        self
    }

    /// Adds a test of the teacher's own.
    #[must_use]
    pub fn with_hidden(self, part: u32, name: &'static str, points: u32, plan: Plan) -> Self {
        let mut lab = self.with(part, name, points, plan);
        lab.tests.last_mut().expect("just added").is_hidden = true;
        lab
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.part, self.index)
    }
}

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = |text: &str| text.parse::<u32>().ok();
        let both = text.split_once('.').and_then(|(part, index)| Some((read(part)?, read(index)?)));
        let (part, index) =
            both.ok_or_else(|| format!("`{text}` is no number of a test: write PART.NUMBER"))?;
        Ok(Number { part, index })
    }
}
