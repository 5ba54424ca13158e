//! The peers file: which node is where. One `ADDRESS HOST:PORT` a line, `#` comments; IPv6 hosts in brackets.
//! Nodes with the same HOST:PORT live in one process, a *site*: starting any of them starts all of them.
//! Invariant: an address has one line; sites keep the order of their first lines.

use foresee_node::Address;
use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};

/// Which node is where.
///
/// ```
/// use foresee_runtime::Peers;
/// let peers = Peers::parse("server 127.0.0.1:7001 # the only one\nclient1 [::1]:7002\nclient2 [::1]:7002\n").unwrap();
/// assert_eq!(peers.sites().len(), 2);
/// assert_eq!(peers.site_of("client2".into()).unwrap().to_string(), "[::1]:7002");
/// assert_eq!(peers.at("[::1]:7002".parse().unwrap()).len(), 2);
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Peers {
    lines: Vec<(Address, SocketAddr)>,
    /// The hosts of the lines as they are written, which certificates are for.
    hosts: Vec<String>,
}

/// What is wrong with a line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PeerProblem {
    NotTwoWords,
    /// The host is not known, or there is no port.
    NotAPlace {
        text: String,
        reason: String,
    },
    /// The address was on this earlier line.
    Doubled {
        address: String,
        first_line: usize,
    },
    /// There is no line at all.
    Empty,
}

/// What is wrong with a peers file, and where.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PeersError {
    pub line: usize,
    pub problem: PeerProblem,
}

impl fmt::Display for PeersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            PeerProblem::NotTwoWords => f.write_str("this is not `ADDRESS HOST:PORT`"),
            PeerProblem::NotAPlace { text, reason } => {
                write!(f, "`{text}` is no HOST:PORT: {reason}")
            }
            PeerProblem::Doubled { address, first_line } => {
                write!(f, "`{address}` stands on line {first_line} already; a node is in one place")
            }
            PeerProblem::Empty => f.write_str("there is no line `ADDRESS HOST:PORT`"),
        }
    }
}

impl std::error::Error for PeersError {}

impl Peers {
    /// Reads the text of a peers file.
    pub fn parse(text: &str) -> Result<Self, PeersError> {
        let mut lines: Vec<(Address, SocketAddr)> = Vec::new();
        let (mut numbers, mut hosts) = (Vec::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split_once('#').map_or(line, |(before, _)| before);
            let mut words = line.split_whitespace();
            let Some(address) = words.next() else { continue };
            let error = |problem| PeersError { line: number, problem };
            let (Some(place), None) = (words.next(), words.next()) else {
                return Err(error(PeerProblem::NotTwoWords));
            };
            let at = place_of(place).map_err(|reason| {
                error(PeerProblem::NotAPlace { text: place.to_owned(), reason })
            })?;
            if let Some(first) = lines.iter().position(|(known, _)| known.name() == address) {
                let (address, first_line) = (address.to_owned(), numbers[first]);
                return Err(error(PeerProblem::Doubled { address, first_line }));
            }
            lines.push((Address::new(address), at));
            numbers.push(number);
            hosts.push(host_in(place).to_owned());
        }
        if lines.is_empty() {
            return Err(PeersError { line: 1, problem: PeerProblem::Empty });
        }
        Ok(Peers { lines, hosts })
    }

    /// Every node and where it is, in the order of the file.
    pub fn lines(&self) -> &[(Address, SocketAddr)] {
        &self.lines
    }

    pub fn site_of(&self, address: Address) -> Option<SocketAddr> {
        self.lines.iter().find(|(known, _)| *known == address).map(|(_, at)| *at)
    }

    /// The nodes of one process.
    pub fn at(&self, site: SocketAddr) -> Vec<Address> {
        let here = self.lines.iter().filter(|(_, at)| *at == site);
        here.map(|(address, _)| *address).collect()
    }

    /// The processes there are.
    pub fn sites(&self) -> Vec<SocketAddr> {
        let mut sites: Vec<SocketAddr> = Vec::new();
        for (_, at) in &self.lines {
            if !sites.contains(at) {
                sites.push(*at);
            }
        }
        sites
    }

    /// The host of a process, as its first line has it.
    pub(crate) fn host_of(&self, site: SocketAddr) -> &str {
        let place = self.lines.iter().position(|(_, at)| *at == site);
        place.map_or("", |place| &self.hosts[place])
    }

    /// The same, with other places: `place` is told each line's and gives the one to use.
    #[must_use]
    pub fn moved(&self, mut place: impl FnMut(Address, SocketAddr) -> SocketAddr) -> Self {
        let lines = self.lines.iter().map(|(address, at)| (*address, place(*address, *at)));
        Peers { lines: lines.collect(), hosts: self.hosts.clone() }
    }
}

impl fmt::Display for Peers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|(address, at)| writeln!(f, "{address} {at}"))
    }
}

/// The host of a HOST:PORT, without the brackets of IPv6.
fn host_in(place: &str) -> &str {
    let host = place.rsplit_once(':').map_or(place, |(host, _)| host);
    host.trim_start_matches('[').trim_end_matches(']')
}

fn place_of(text: &str) -> Result<SocketAddr, String> {
    if let Ok(at) = text.parse::<SocketAddr>() {
        return match at.port() {
            0 => Err("port 0 is nobody's; give one from 1 to 65535".to_owned()),
            _ => Ok(at),
        };
    }
    let Some((host, port)) = text.rsplit_once(':') else {
        return Err("the port is missing".to_owned());
    };
    if port.parse::<u16>().is_err() {
        return Err(format!("`{port}` is no port"));
    }
    if host.contains(':') {
        return Err("an IPv6 host stands in brackets, as [::1]:7001".to_owned());
    }
    let mut found = text.to_socket_addrs().map_err(|error| error.to_string())?;
    found.next().ok_or_else(|| "the host has no address".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text: &str| {
            let error = Peers::parse(text).unwrap_err();
            format!("{}: {error}", error.line)
        };
        assert_eq!(
            error("a 127.0.0.1:1\n# b\n\na 127.0.0.1:2\n"),
            "4: `a` stands on line 1 already; a node is in one place"
        );
        assert_eq!(error("a\n"), "1: this is not `ADDRESS HOST:PORT`");
        assert_eq!(error("a 127.0.0.1:1 x\n"), "1: this is not `ADDRESS HOST:PORT`");
        assert_eq!(error("a 127.0.0.1\n"), "1: `127.0.0.1` is no HOST:PORT: the port is missing");
        assert_eq!(error("a 127.0.0.1:x\n"), "1: `127.0.0.1:x` is no HOST:PORT: `x` is no port");
        assert_eq!(
            error("a ::1:7001\n"),
            "1: `::1:7001` is no HOST:PORT: an IPv6 host stands in brackets, as [::1]:7001"
        );
        assert!(error("a 127.0.0.1:0\n").contains("port 0"));
        assert_eq!(error("# nobody\n"), "1: there is no line `ADDRESS HOST:PORT`");
    }

    #[test]
    fn a_host_may_be_a_name() {
        let peers = Peers::parse("a localhost:7001\n").unwrap();
        assert!(peers.lines()[0].1.ip().is_loopback());
        assert_eq!(peers.host_of(peers.lines()[0].1), "localhost");
        let six = Peers::parse("a [::1]:7001\n").unwrap();
        assert_eq!(six.host_of(six.sites()[0]), "::1");
    }
}
