//! States for people: each component with where it stands in its equation and the values it holds.

use crate::process::{Engine, Proc, ProcId};
use crate::rewrite::TermId;
use crate::system::Algebra;
use foresee_lts::{Description, Member, Tree};

pub(crate) fn state(system: &Algebra, engine: &Engine, state: &[u32]) -> Description {
    let members = system.network.names.iter().zip(state).map(|(name, id)| Member {
        status: match engine.procs.get(*id) {
            Proc::Delta => "stopped".to_owned(),
            Proc::Done => "ended".to_owned(),
            _ => String::new(),
        },
        ..Member::new(name, component(system, engine, *id))
    });
    Description { members: members.collect(), ..Description::default() }
}

fn component(system: &Algebra, engine: &Engine, id: ProcId) -> Tree {
    match engine.procs.get(id) {
        Proc::Nothing => Tree::leaf(""),
        Proc::Delta => Tree::leaf("delta"),
        Proc::Done => Tree::leaf("ended"),
        Proc::At(node, data) => {
            let at = system.model.node(*node);
            let process = &system.model.processes[at.process as usize];
            // Positions inside an equation are told apart by their lines; code-built trees have none, so by number.
            let place = match system.lines.line(at.span) {
                _ if process.root == *node => "start".to_owned(),
                Some(line) => format!("line {line}"),
                None => format!("position {}", process.root - node),
            };
            let mut fields = vec![("at".to_owned(), Tree::leaf(place))];
            for (slot, value) in at.live.iter().zip(data) {
                fields.push((process.slots[*slot as usize].clone(), term(engine, *value)));
            }
            Tree::Record { name: process.name.clone(), fields }
        }
        Proc::Prefix(action, arguments, then) => {
            let items = arguments.iter().map(|it| term(engine, *it)).collect();
            let name = system.model.actions[*action as usize].name.clone();
            let items = vec![Tree::List { name, items }, component(system, engine, *then)];
            Tree::List { name: "then".to_owned(), items }
        }
        Proc::Sequence(a, b) => list(system, engine, "then", *a, *b),
        Proc::Parallel(a, b) => list(system, engine, "parallel", *a, *b),
        Proc::Filter(_, inside) => component(system, engine, *inside),
    }
}

fn list(system: &Algebra, engine: &Engine, name: &str, a: ProcId, b: ProcId) -> Tree {
    let items = vec![component(system, engine, a), component(system, engine, b)];
    Tree::List { name: name.to_owned(), items }
}

fn term(engine: &Engine, value: TermId) -> Tree {
    Tree::leaf(engine.text(value))
}
