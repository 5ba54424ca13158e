//! A state, an event and what is wrong with either, described to a person or a formula: labels, descriptions, accounts of runs,
//! troubles. Data comes first (`deeds`, `stuck`, `fault`), words are made of it (`words`, `label`, `trouble`).
//! Not here: anything that changes a state.

pub(crate) mod account;
pub(crate) mod cause;
pub(crate) mod deeds;
pub(crate) mod describe;
pub(crate) mod fault;
pub(crate) mod label;
pub(crate) mod recorder;
pub(crate) mod stuck;
pub(crate) mod surroundings;
pub(crate) mod trouble;
pub(crate) mod view;
pub(crate) mod visible;
pub mod words;
