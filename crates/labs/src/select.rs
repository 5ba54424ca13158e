//! Which tests to run: `2`, `2.3`, and a category.

use crate::{Category, Lab, Number, Test};

/// The words of a user that say which tests to run.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// `PART.NUMBER` or `PART`; all if empty.
    pub numbers: Vec<String>,
    pub category: Option<Category>,
}

/// The tests that are meant, in the lab's order; an error says what there is.
pub fn select<'a>(lab: &'a Lab, selection: &Selection) -> Result<Vec<&'a Test>, String> {
    let mut wanted = Vec::new();
    for word in &selection.numbers {
        let of_part = word.parse::<u32>().ok();
        let matching: Vec<Number> = match of_part {
            Some(part) => {
                lab.tests.iter().map(|test| test.number).filter(|it| it.part == part).collect()
            }
            None => vec![word.parse::<Number>()?],
        };
        let known = |number: &Number| lab.test(*number).is_some();
        if matching.is_empty() || !matching.iter().all(known) {
            let parts: Vec<String> = lab.parts.iter().map(|part| part.number.to_string()).collect();
            return Err(format!(
                "{} has no test {word}: its parts are {}, its tests {} to {}",
                lab.id,
                parts.join(", "),
                lab.tests.first().map_or_else(String::new, |test| test.number.to_string()),
                lab.tests.last().map_or_else(String::new, |test| test.number.to_string()),
            ));
        }
        wanted.extend(matching);
    }
    let is_wanted = |test: &&Test| {
        (selection.numbers.is_empty() || wanted.contains(&test.number))
            && selection.category.is_none_or(|category| test.categories.contains(&category))
    };
    Ok(lab.tests.iter().filter(is_wanted).collect())
}
