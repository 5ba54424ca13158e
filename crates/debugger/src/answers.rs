//! From a session's data to the protocol's.

use crate::protocol as p;
use crate::server::Options;
use foresee_session::{
    ChangeView, Export, Feature, FindingView, Inspection, Label, LabelView, MemberInfo, PartKey,
    PendingView, PlaceId, Prospect, Restriction, SourcePlace, StageError, StateView, Stopped,
};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn refused(error: StageError) -> p::Refused {
    p::Refused { code: error.code.to_owned(), message: error.message, help: error.help }
}

pub(crate) fn hello(
    it: &mut Inspection,
    session: &str,
    options: &Options,
) -> Result<p::Hello, p::Refused> {
    let info = it.info().clone();
    let tip = it.branches()[0].tip;
    let has = |feature: Feature| it.loaded().supports(feature);
    let features = [
        ("outlook", true),
        ("diverse", true),
        ("neighbourhood", true),
        ("source", !it.sources().is_empty()),
        ("faults", has(Feature::NetworkFaults)),
        ("rust-test", has(Feature::Export(Export::Rust))),
        ("erlang-test", has(Feature::Export(Export::Erlang))),
        ("watch", options.watches),
    ];
    let features = features.into_iter().filter(|(_, is_there)| *is_there);
    let features: Vec<String> = features.map(|(name, _)| name.to_owned()).collect();
    let (place, only_mattered) = it.view;
    Ok(p::Hello {
        tool: concat!("foresee ", env!("CARGO_PKG_VERSION")).to_owned(),
        protocol: p::PROTOCOL,
        session: session.to_owned(),
        features,
        members: members(it, tip)?,
        properties: properties(&info),
        system: p::SystemInfo {
            name: info.name,
            text: info.system,
            parameters: info.parameters,
            front_end: info.front_end.to_owned(),
        },
        opening: opening(it),
        branches: branches(it),
        notes: notes(it),
        pins: it.pins.clone(),
        watches: it.watches.clone(),
        view: p::View { place, only_mattered },
        files: it.sources().into_iter().map(|(path, _)| path).collect(),
        file: options.file.as_ref().map(|file| file.display().to_string()),
    })
}

fn properties(info: &foresee_session::StageInfo) -> Vec<p::Property> {
    let properties = info.properties.iter();
    properties.map(|it| p::Property { name: it.name.clone(), kind: it.kind.clone() }).collect()
}

pub(crate) fn opening(it: &Inspection) -> p::Opening {
    let opening = it.opening().clone();
    let operation = |it: foresee_session::Operation| p::Operation {
        what: it.what,
        from: it.from,
        to: it.to,
        result: it.result,
        impossible: it.impossible,
    };
    let operations = opening.operations.into_iter().map(|it| p::ClientOperations {
        member: it.member,
        operations: it.operations.into_iter().map(operation).collect(),
    });
    let races = opening.races.into_iter().map(|it| p::Race {
        first: it.first,
        second: it.second,
        text: it.text,
        decides: it.decides,
    });
    let restrictions = opening.restrictions.into_iter();
    p::Opening {
        place: opening.place,
        reason: opening.reason.word().to_owned(),
        property: opening.property,
        verdict: opening.verdict,
        headline: opening.headline,
        why: opening.why,
        decisive: opening.decisive,
        suspect: opening.suspect,
        decisive_why: opening.decisive_why,
        suspect_why: opening.suspect_why,
        is_pending: false,
        restrictions: restrictions.map(|it| p::Restriction { name: it.name, on: it.on }).collect(),
        operations: operations.collect(),
        cycle: opening.cycle,
        lasso: opening.lasso,
        races: races.collect(),
        formula: opening.formula.map(|it| p::Formula {
            before: it.before,
            part: it.part,
            after: it.after,
        }),
        replay: opening.replay,
        facts: opening.facts,
    }
}

pub(crate) fn branches(it: &Inspection) -> Vec<p::Branch> {
    (0..).zip(it.branches()).map(|(number, branch)| one_branch(it, number, branch)).collect()
}

fn one_branch(it: &Inspection, branch: u32, of: &foresee_session::Branch) -> p::Branch {
    p::Branch {
        branch,
        name: of.name.clone(),
        from: of.from,
        tip: of.tip,
        steps: it.step_of(of.tip),
        allows_more_faults: of.allows_more_faults,
        stopped: of.stopped.as_ref().map(|(stopped, rest)| p::Stopped {
            step: stopped.step,
            label: stopped.label.text.clone(),
            why: stopped.why.clone(),
            rest: rest.clone(),
        }),
    }
}

pub(crate) fn notes(it: &Inspection) -> Vec<p::Note> {
    it.notes.iter().map(|(place, text)| p::Note { place: *place, text: text.clone() }).collect()
}

/// The members on the way to the tip of a place's branch.
pub(crate) fn members(it: &mut Inspection, place: PlaceId) -> Result<Vec<p::Member>, p::Refused> {
    let branch = it.branch_of(place).map_err(refused)?;
    let line = it.run_of(branch).map_err(refused)?;
    let tip = line.last().copied().unwrap_or(place);
    let acting = it.members_that_mattered(&line).map_err(refused)?;
    let member = |it: MemberInfo| p::Member {
        mattered: acting.contains(&it.member),
        member: it.member,
        name: it.name,
        kind: it.kind,
        parent: it.parent,
        born: it.born,
    };
    Ok(it.members(tip).map_err(refused)?.into_iter().map(member).collect())
}

/// Which rows.
#[derive(Clone, Copy, Default)]
pub(crate) struct Which {
    pub(crate) branch: Option<u32>,
    pub(crate) only_mattered: bool,
    pub(crate) with_crossing: bool,
}

/// As many rows are answered at a time.
const ROWS_MAX: u32 = 2_000;
/// Arrows are followed so many rows beyond a window.
const CROSSING_MAX: usize = 200;

pub(crate) fn rows(
    it: &mut Inspection,
    which: Which,
    from: u32,
    to: u32,
) -> Result<p::Rows, p::Refused> {
    let mut list = match which.branch {
        Some(branch) => it.run_of(branch).map_err(refused)?,
        None => it.list(),
    };
    if let (true, Some(branch)) = (which.only_mattered, which.branch) {
        let mattered = it.that_mattered(branch).map_err(refused)?;
        list.retain(|place| mattered.contains(place));
    }
    let rails = it.rails();
    let total = list.len() as u32;
    let to = to.min(total).min(from.saturating_add(ROWS_MAX));
    let from = from.min(to);
    let mut rows = Vec::new();
    for place in &list[from as usize..to as usize] {
        rows.push(row(it, *place, &rails)?);
    }
    let mut others = Vec::new();
    if which.with_crossing {
        let before: BTreeSet<PlaceId> = list[..to as usize].iter().copied().collect();
        for place in list[to as usize..].iter().take(CROSSING_MAX) {
            let sent_at = it.sent_at(*place).map_err(refused)?;
            if sent_at.is_some_and(|at| before.contains(&at)) {
                others.push(row(it, *place, &rails)?);
            }
        }
    }
    Ok(p::Rows { total, rows, crossing: others })
}

fn row(it: &mut Inspection, place: PlaceId, rails: &[u32]) -> Result<p::Row, p::Refused> {
    let row = it.row(place).map_err(refused)?;
    let branch = it.branch_of(place).map_err(refused)?;
    let marks = it.marks(&row).into_iter().map(str::to_owned).collect();
    let caption = it.caption(&row).map_err(refused)?;
    Ok(p::Row {
        place,
        after: row.after,
        step: row.step,
        label: row.label.map(label),
        member: row.member,
        sent_at: row.sent_at,
        again: row.again,
        hash: row.hash.to_string(),
        source: row.source.map(source),
        findings: row.findings.into_iter().map(finding).collect(),
        branches: row.branches,
        branch,
        rail: rails.get(branch as usize).copied().unwrap_or_default(),
        marks,
        properties: it.property_marks(place).map_err(refused)?,
        caption,
        folded: it.fold_of(place).map(str::to_owned),
        mattered: it.mattered(place).map_err(refused)?,
    })
}

pub(crate) fn label(label: LabelView) -> p::Label {
    p::Label {
        verb: label.verb,
        from: label.from,
        to: label.to,
        payload: label.payload,
        short: label.short,
        r#type: label.r#type,
        text: label.text,
    }
}

fn source(source: SourcePlace) -> p::Source {
    p::Source { file: source.file, line: source.line }
}

fn finding(finding: FindingView) -> p::Finding {
    p::Finding {
        kind: finding.kind,
        property: finding.property,
        name: finding.name,
        message: finding.message,
    }
}

/// A state with the parts that the page does not have.
pub(crate) fn state(
    it: &mut Inspection,
    state: StateView,
    changes: Vec<ChangeView>,
    have: &[String],
) -> p::StateAnswer {
    let have: BTreeSet<&str> = have.iter().map(String::as_str).collect();
    let mut parts = BTreeMap::new();
    let mut keep = |key: PartKey| {
        let text = key.to_string();
        if !have.contains(text.as_str())
            && !parts.contains_key(&text)
            && let Some(tree) = it.part(state.place, key)
        {
            parts.insert(text.clone(), tree);
        }
        text
    };
    let mut members = Vec::new();
    for member in state.members {
        let inbox = member.inbox.into_iter().map(|item| pending(&mut keep, item)).collect();
        let timers = member.timers.into_iter().map(|item| pending(&mut keep, item)).collect();
        members.push(p::MemberState {
            member: member.member,
            name: member.name,
            status: member.status,
            state: keep(member.state),
            inbox,
            timers,
            inbox_total: member.inbox_total,
            line: member.line.map(source),
            waits_for: member.waits_for,
        });
    }
    let shared = state.shared.into_iter().map(|(name, key)| (name, keep(key))).collect();
    let property = |it: foresee_session::PropertyView| p::PropertyState {
        property: it.property,
        holds: it.holds,
        why: it.why,
    };
    p::StateAnswer {
        place: state.place,
        hash: state.hash.to_string(),
        members,
        shared,
        properties: state.properties.into_iter().map(property).collect(),
        stuck: state.stuck,
        is_final: state.is_final,
        parts,
        changes: self::changes(changes),
    }
}

fn pending(keep: &mut dyn FnMut(PartKey) -> String, item: PendingView) -> p::Pending {
    p::Pending {
        from: item.from,
        part: keep(item.part),
        choice: item.choice,
        why_not: item.why_not,
        sent_at: item.sent_at,
        delivered: item.delivered,
    }
}

pub(crate) fn changes(changes: Vec<ChangeView>) -> Vec<p::Change> {
    let change = |it: ChangeView| p::Change {
        member: it.member,
        path: it.path,
        before: it.before,
        after: it.after,
    };
    changes.into_iter().map(change).collect()
}

pub(crate) fn choices(
    it: &mut Inspection,
    place: PlaceId,
    most: Option<u32>,
) -> Result<p::ChoicesAnswer, p::Refused> {
    let (rest, choices) = it.choices(place, crate::worker::at_most(most)).map_err(refused)?;
    let counts = rest.counts.into_iter();
    let counts =
        counts.map(|it| p::ChoiceCount { member: it.member, r#type: it.r#type, count: it.count });
    let choices = choices.into_iter().map(|chosen| p::Choice {
        choice: chosen.view.choice,
        label: label(chosen.view.label),
        member: chosen.view.member,
        part: chosen.view.part.map(|key| key.to_string()),
        is_fault: chosen.view.is_fault,
        place: chosen.view.place,
        recorded: chosen.recorded,
        delivered: chosen.delivered,
        outlook: "unknown".to_owned(),
        shortest: None,
    });
    let not_possible = rest.not_possible.into_iter();
    let faults = rest.faults.into_iter();
    Ok(p::ChoicesAnswer {
        choices: choices.collect(),
        not_possible: not_possible
            .map(|it| p::NotPossible { label: label(it.label), member: it.member, why: it.why })
            .collect(),
        faults: faults.map(|it| p::FaultBudget { word: it.word, left: it.left }).collect(),
        counts: counts.collect(),
    })
}

pub(crate) fn prospect(prospect: Prospect) -> String {
    let word = match prospect {
        Prospect::None => "none",
        Prospect::Some => "some",
        Prospect::All => "all",
        Prospect::Unknown => "unknown",
    };
    word.to_owned()
}

pub(crate) fn blame(chain: Vec<foresee_session::BlameLink>) -> p::Blame {
    let link = |it: foresee_session::BlameLink| p::BlameLink {
        place: it.place,
        reason: it.reason,
        member: it.member,
        path: it.path,
    };
    p::Blame { chain: chain.into_iter().map(link).collect() }
}

pub(crate) fn restrictions_of(all: Vec<p::Restriction>) -> Vec<Restriction> {
    all.into_iter().map(|it| Restriction { name: it.name, on: it.on }).collect()
}

/// The labels of a whole trace, or of lines as a trace has them.
pub(crate) fn labels_of(text: &str) -> Result<Vec<Label>, p::Refused> {
    if text.trim_start().starts_with("foresee trace") {
        let trace = foresee_session::read_trace("what was pasted", text.as_bytes());
        let trace =
            trace.map_err(|news| crate::worker::refusal("bad-request", news.to_string()))?;
        return Ok(trace.events.into_iter().map(|event| event.label).collect());
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let label = |line: &str| {
        let words = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
        let message = || format!("`{line}` is no step");
        Label::parse(words).ok_or_else(|| crate::worker::refusal("bad-request", message()))
    };
    lines.map(label).collect()
}

pub(crate) fn stopped(stopped: Stopped, labels: &[Label]) -> p::Stopped {
    let rest = labels.iter().skip(stopped.step as usize - 1).map(Label::to_string).collect();
    p::Stopped { step: stopped.step, label: stopped.label.text, why: stopped.why, rest }
}

pub(crate) fn story(it: &mut Inspection, branch: u32) -> Result<p::Story, p::Refused> {
    let (title, sentences) = it.story(branch).map_err(refused)?;
    let sentence = |it: foresee_session::Sentence| p::Sentence {
        text: it.text,
        first: it.first,
        last: it.last,
    };
    Ok(p::Story { title, sentences: sentences.into_iter().map(sentence).collect() })
}

pub(crate) fn neighbourhood(graph: foresee_session::Neighbourhood) -> p::Neighbourhood {
    let node = |it: foresee_session::GraphNode| p::GraphNode {
        id: it.id,
        label: it.label,
        here: it.here,
        x: it.x,
        y: it.y,
    };
    let edge = |(from, to, label): (u32, u32, String)| p::GraphEdge { from, to, label };
    p::Neighbourhood {
        nodes: graph.nodes.into_iter().map(node).collect(),
        edges: graph.edges.into_iter().map(edge).collect(),
        cut: graph.cut,
    }
}

pub(crate) fn strip(it: &mut Inspection, branch: u32) -> Result<p::Strip, p::Refused> {
    let mut properties = vec![String::new(); it.info().properties.len()];
    let mut marks = Vec::new();
    for place in it.run_of(branch).map_err(refused)? {
        let own = it.property_marks(place).map_err(refused)?;
        for (strip, mark) in properties.iter_mut().zip(own.chars()) {
            strip.push(mark);
        }
        let step = it.step_of(place);
        let found = it.marks_at(place).map_err(refused)?;
        marks.extend(found.into_iter().map(|mark| p::StripMark { step, mark: mark.to_owned() }));
    }
    Ok(p::Strip { properties, marks })
}
