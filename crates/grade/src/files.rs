//! The files of one student: results for programs, a log for people, the traces.
//! None has a time or a path of this machine in it, so that grading again gives the same bytes.

use crate::Graded;
use foresee_labs::{result_text, summary_text, to_gradescope, to_json, to_junit};
use std::path::Path;

/// Writes `results.json`, `gradescope.json`, `junit.xml`, `log.txt` and the traces to a folder; what was there of an earlier grading goes.
pub fn write_student(folder: &Path, graded: &mut Graded) -> std::io::Result<()> {
    if folder.join("results.json").is_file() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    let lab = graded.results.lab;
    for (number, trace) in &graded.traces {
        let name = format!("traces/{lab}-{number}.trace");
        std::fs::create_dir_all(folder.join("traces"))?;
        std::fs::write(folder.join(&name), trace)?;
        let test = graded.results.tests.iter_mut().find(|test| test.number == *number);
        if let Some(test) = test {
            test.trace_file = Some(name);
        }
    }
    std::fs::write(folder.join("results.json"), to_json(&graded.results) + "\n")?;
    std::fs::write(folder.join("gradescope.json"), to_gradescope(&graded.results) + "\n")?;
    std::fs::write(folder.join("junit.xml"), to_junit(&graded.results))?;
    std::fs::write(folder.join("log.txt"), log(graded))
}

fn log(graded: &Graded) -> String {
    let mut text = format!("{}\n", graded.student);
    if let Some(note) = &graded.note {
        text.push_str(&format!("{note}\n"));
    }
    for test in &graded.results.tests {
        let again = match test.is_hidden {
            true => "(a test of the teacher's own)".to_owned(),
            false => {
                format!("foresee labs test {} --seed {} --debug", test.number, graded.results.seed)
            }
        };
        let look = format!("foresee labs debug {}", test.number);
        text.push_str(&result_text(test, &again, &look));
        if let Some(file) = &test.trace_file {
            text.push_str(&format!("        trace: {file}\n"));
        }
    }
    text.push_str(&summary_text(&graded.results));
    for (title, said) in [
        ("what the compiler said", &graded.compiler),
        ("what the solution printed", &graded.printed),
    ] {
        if !said.trim().is_empty() {
            text.push_str(&format!("\n--- {title}\n{said}"));
        }
    }
    text
}
