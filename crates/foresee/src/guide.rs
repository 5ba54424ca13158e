//! The guide's examples, compiled and run as tests of this crate.

#[doc = include_str!("../../../docs/guide/first-protocol.md")]
pub struct FirstProtocol;

#[doc = include_str!("../../../docs/guide/faults.md")]
pub struct Faults;

#[doc = include_str!("../../../docs/guide/guided-search.md")]
pub struct GuidedSearch;

#[doc = include_str!("../../../docs/guide/nodes-in-depth.md")]
pub struct NodesInDepth;

#[doc = include_str!("../../../docs/guide/tests.md")]
pub struct Tests;

#[doc = include_str!("../../../docs/guide/histories.md")]
pub struct Histories;
