//! The reference of lab 6 as a system, and the mistakes that it can be switched to make.

use crate::reference::Solution;
use foresee_labs::SpecimenKind::{Innocent, Liveness, Safety};
use foresee_labs::{Lab, ReferenceLab, Specimen, SpecimenKind, Switch};

/// The reference solution, as a system of the stock binary.
pub fn reference() -> ReferenceLab {
    let summary = "lab 6, chain replication with repair: the reference solution and its bug zoo";
    ReferenceLab { id: "lab6", summary, make, zoo: ZOO }
}

fn make(bug: Switch) -> Lab {
    crate::lab(Solution { bug })
}

const fn specimen(id: &'static str, kind: SpecimenKind, sentence: &'static str) -> Specimen {
    Specimen { id, sentence, kind }
}

const ZOO: &[Specimen] = &[
    specimen("6a", Safety, "the repaired server is added behind the tail (method 1)"),
    specimen("6b", Safety, "the repaired server is added before the head (method 2)"),
    specimen("6c", Safety, "servers serve requests of epochs that are over"),
    specimen(
        "6d",
        Safety,
        "a server moves on only when the layout service tells it, and serves both epochs until then",
    ),
    specimen(
        "6e",
        Safety,
        "after a change of epoch a writer goes on where it was, past the server that was inserted",
    ),
    specimen("6f", Safety, "a writer takes any value that it finds for its own"),
    specimen("6g", Safety, "when the tail is silent, a reader asks the head"),
    specimen("6h", Safety, "the operator copies what was there before the repair began"),
    specimen("6i", Safety, "the operator copies from the head, what no tail has had"),
    specimen("6j", Safety, "copying drops what writers have given the repaired server since"),
    specimen(
        "6k",
        Safety,
        "the tail is copied without being sealed: slow writers finish in the old chain",
    ),
    specimen("6l", Safety, "the layout service takes a second layout with the same epoch"),
    specimen(
        "6m",
        Liveness,
        "a writer that finds another value at the head waits for its writer to finish",
    ),
    specimen("6n", Safety, "in a chain of one, reads are answered from the half that is in memory"),
    specimen(
        "6o",
        Safety,
        "a writer that finds its own value at the head after a change reports success",
    ),
    specimen("reads-twice", Innocent, "a reader asks the tail twice and takes the second answer"),
    specimen(
        "copies-twice",
        Innocent,
        "the operator copies a second time before it ends the repair",
    ),
];
