//! Configurations: which groups there are and which shard is whose, and what can be asked of the master, who decides.

use foresee::Address;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// The shard of a key: the sum of its bytes, modulo the number of shards. Shards are numbered from 0.
///
/// ```
/// use foresee_lab4::shard_of;
/// assert_eq!([shard_of("a", 10), shard_of("b", 10), shard_of("ab", 10)], [7, 8, 5]);
/// ```
pub fn shard_of(key: &str, n_shards: usize) -> usize {
    key.bytes().map(usize::from).sum::<usize>() % n_shards
}

/// Who owns which shard. Each change makes a new configuration, with the next number.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct Configuration {
    pub number: u64,
    /// The servers of each group.
    pub groups: BTreeMap<u32, Vec<Address>>,
    /// The group of each shard; nobody's as long as there are no groups.
    pub owners: Vec<Option<u32>>,
}

impl Configuration {
    /// The one before all others, number 0: no groups.
    pub fn first(n_shards: usize) -> Self {
        Configuration { number: 0, groups: BTreeMap::new(), owners: vec![None; n_shards] }
    }

    pub fn shard_of(&self, key: &str) -> usize {
        shard_of(key, self.owners.len())
    }

    /// The group that owns the shard of a key.
    pub fn owner_of(&self, key: &str) -> Option<u32> {
        self.owners[self.shard_of(key)]
    }

    /// The servers of a group; none if it is not there.
    pub fn servers(&self, group: u32) -> &[Address] {
        self.groups.get(&group).map_or(&[], Vec::as_slice)
    }
}

/// What the master is asked. As text: `JOIN:2:server2-1,server2-2`, `LEAVE:2`, `MOVE:7:2` (shard 7 to group 2), `QUERY`, `QUERY:3`.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum MasterCommand {
    /// A new group, which gets its share of the shards.
    Join { group: u32, servers: Vec<Address> },
    /// The group goes; the others share its shards.
    Leave { group: u32 },
    /// This shard goes to this group, whatever the balance.
    Move { shard: usize, group: u32 },
    /// The configuration with this number, or the latest where there is none with it or none is asked for.
    Query { number: Option<u64> },
}

/// What the master answers.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub enum MasterResult {
    /// There is a new configuration.
    Done,
    /// It makes no sense, and nothing has changed.
    Refused,
    Configuration(Configuration),
}

impl fmt::Display for MasterCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MasterCommand::Join { group, servers } => {
                let names: Vec<&str> = servers.iter().map(|it| it.name()).collect();
                write!(f, "JOIN:{group}:{}", names.join(","))
            }
            MasterCommand::Leave { group } => write!(f, "LEAVE:{group}"),
            MasterCommand::Move { shard, group } => write!(f, "MOVE:{shard}:{group}"),
            MasterCommand::Query { number: None } => f.write_str("QUERY"),
            MasterCommand::Query { number: Some(number) } => write!(f, "QUERY:{number}"),
        }
    }
}

impl FromStr for MasterCommand {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
        match parts[..] {
            ["JOIN", group, servers] => {
                let servers = servers.split(',').map(Address::new).collect();
                Ok(MasterCommand::Join { group: number(group)?, servers })
            }
            ["LEAVE", group] => Ok(MasterCommand::Leave { group: number(group)? }),
            ["MOVE", shard, group] => {
                Ok(MasterCommand::Move { shard: number(shard)? as usize, group: number(group)? })
            }
            ["QUERY"] => Ok(MasterCommand::Query { number: None }),
            ["QUERY", at] => Ok(MasterCommand::Query { number: Some(number(at)?.into()) }),
            _ => Err(format!(
                "`{text}` is none of JOIN:GROUP:SERVER,SERVER, LEAVE:GROUP, MOVE:SHARD:GROUP, QUERY and QUERY:NUMBER"
            )),
        }
    }
}
