//! `--unguided`: whether a bug is found without a guide, breadth first and by random walks from the start.
//! The world is that of the test that found it, with everything allowed that its phases forbid: what is measured is the worth of the phases.

use foresee_labs::{Number, Plan, ReferenceLab, SetUp, Specimen, Switch};
use foresee_lts::{StoppedBy, Verdict, ViolationKind};
use foresee_nodes::BuildOptions;
use foresee_search::{Limits, NoMeter, Silent};
use foresee_stateful::{Config, Report, Strategy, search};

/// States of the breadth-first search.
const STATES_MAX: u64 = 500_000;
const WALKS: u64 = 500;
const WALK_STEPS: u32 = 300;

/// Two more columns of the table.
pub(crate) fn columns(reference: &ReferenceLab, specimen: &Specimen, found_by: Number) -> String {
    let lab = (reference.make)(Switch::on(specimen.id));
    let set_up: SetUp = match lab.test(found_by).map(|test| &test.plan) {
        Some(Plan::Search(set_up, _)) => set_up.clone(),
        _ => lab.standard.clone(),
    };
    let arena = set_up(&reference.system_name(specimen), &BuildOptions::default());
    let system = arena.world.system();
    let explored = |strategy, limits| {
        let config = Config { limits, strategy, ..Config::of(system) };
        search(system, &config, &NoMeter, &mut Silent)
    };
    let states = Limits { states_max: Some(STATES_MAX), ..Limits::none() };
    let walks =
        Limits { interleavings_max: Some(WALKS), depth_max: Some(WALK_STEPS), ..Limits::none() };
    let breadth = told(&explored(Strategy::BreadthFirst, states));
    let walked = told(&explored(Strategy::Random, walks));
    format!(" {breadth} | {walked} |")
}

fn told(report: &Report) -> String {
    // That a goal was not reached on these ways says nothing.
    let mut wrong = report.violations.iter().filter(|it| it.kind != ViolationKind::Property);
    match (wrong.next(), report.verdict) {
        (Some(found), _) => format!("{} steps", found.path.actions.len()),
        (None, Verdict::Inconclusive(StoppedBy::States)) => {
            format!("not within {} steps", report.depth)
        }
        _ => "no".to_owned(),
    }
}
