//! Judging of recorded key-value histories: 20 clients, 200 keys, from a file, reading included.

use foresee::{
    Application, HISTORY_HEADER, HistoryEvent, HistoryJudge, HistoryReader, Judgement,
    KeyValueCommand, KeyValueStore,
};
use foresee_runtime::cpu_seconds;
use foresee_stdx::Random;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Writes a history of so many operations, `lost` in a hundred of them never answered, and judges it: operations and processor seconds.
pub(crate) fn measure(operations: u64, lost: u64) -> (u64, f64) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("history");
    write(&file, operations, lost).expect("written");
    let before = cpu_seconds();
    let judgement = judge(&file);
    let spent = cpu_seconds() - before;
    assert_eq!(judgement, Judgement::Linearizable, "it was made by a single copy");
    (operations, spent)
}

/// What a client is doing.
enum Doing {
    Nothing,
    Asked(KeyValueCommand),
    Done(String),
}

fn write(file: &Path, operations: u64, lost: u64) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(file)?);
    writeln!(out, "{HISTORY_HEADER}")?;
    let (mut random, mut store) = (Random::new(5), KeyValueStore::default());
    let mut clients: Vec<Doing> = (0..20).map(|_| Doing::Nothing).collect();
    let (mut begun, mut time) = (0, 0u64);
    while begun < operations || clients.iter().any(|it| !matches!(it, Doing::Nothing)) {
        let client = random.below(20) as usize;
        time += 100;
        clients[client] = match std::mem::replace(&mut clients[client], Doing::Nothing) {
            Doing::Nothing if begun == operations => continue,
            Doing::Nothing => {
                begun += 1;
                let key = format!("key{:05}", random.below(200));
                let command = match random.below(2) {
                    0 => KeyValueCommand::get(key),
                    _ => KeyValueCommand::put(key, format!("{begun:064}")),
                };
                writeln!(out, "{time} client{client} invoke {command}")?;
                Doing::Asked(command)
            }
            Doing::Asked(command) => {
                let is_lost = random.below(100) < lost;
                // What is lost may have happened or not.
                let result = (!is_lost || random.below(2) == 0).then(|| store.execute(&command));
                match result.filter(|_| !is_lost) {
                    Some(result) => Doing::Done(result.to_string()),
                    None => {
                        writeln!(out, "{time} client{client} lost")?;
                        Doing::Nothing
                    }
                }
            }
            Doing::Done(result) => {
                writeln!(out, "{time} client{client} return {result}")?;
                Doing::Nothing
            }
        };
    }
    out.flush()
}

fn judge(file: &Path) -> Judgement {
    let mut easy: HistoryJudge<KeyValueStore> = HistoryJudge::new(KeyValueStore::default());
    read(file, &mut easy);
    let hard: Vec<String> = easy.hard_parts().map(str::to_owned).collect();
    if hard.is_empty() {
        return Judgement::Linearizable;
    }
    let mut again: HistoryJudge<KeyValueStore> =
        HistoryJudge::of_parts(KeyValueStore::default(), hard);
    read(file, &mut again);
    again.finish(|client| format!("client {client}"))
}

fn read(file: &Path, judge: &mut HistoryJudge<KeyValueStore>) {
    let mut text = BufReader::with_capacity(1 << 20, std::fs::File::open(file).expect("there"));
    let (mut reader, mut bytes) = (HistoryReader::default(), Vec::new());
    while text.read_until(b'\n', &mut bytes).expect("readable") > 0 {
        let line = std::str::from_utf8(&bytes[..bytes.len() - 1]).expect("text");
        if let Some(said) = reader.line(line).expect("a good line") {
            match said.event {
                HistoryEvent::Invoke(text) => {
                    judge.invoked(said.client, text.parse().expect("a command"))
                }
                HistoryEvent::Return(text) => judge
                    .returned(said.client, text.parse().expect("a result"))
                    .expect("it was made by a single copy"),
                HistoryEvent::Lost => judge.given_up(said.client),
            }
        }
        bytes.clear();
    }
}
