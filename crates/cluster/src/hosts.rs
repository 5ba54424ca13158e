//! The hosts file: one `HOST:PORT` a line, the first is process 0. Empty lines and what follows `#` are left out.

use std::fmt;

/// What is wrong with a hosts file.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum HostsError {
    Empty,
    /// A line that is no address.
    Line {
        number: usize,
        text: String,
    },
    /// Two lines with the same address.
    Twice {
        address: String,
    },
}

impl fmt::Display for HostsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostsError::Empty => f.write_str("it names no host"),
            HostsError::Line { number, text } => {
                write!(f, "line {number}: `{text}` is not HOST:PORT")
            }
            HostsError::Twice { address } => write!(f, "`{address}` is there twice"),
        }
    }
}

impl std::error::Error for HostsError {}

/// The addresses in a hosts file, in order.
///
/// ```
/// use foresee_cluster::read_hosts;
/// let hosts = read_hosts("10.0.0.1:7000  # first\n\n10.0.0.2:7000\n").unwrap();
/// assert_eq!(hosts, ["10.0.0.1:7000", "10.0.0.2:7000"]);
/// assert!(read_hosts("10.0.0.1").is_err());
/// ```
///
/// # Errors
/// When a line is no address, an address is there twice, or there is none.
pub fn read_hosts(text: &str) -> Result<Vec<String>, HostsError> {
    let mut hosts: Vec<String> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let port = line.rsplit_once(':').filter(|(host, _)| !host.is_empty());
        let port = port.and_then(|(_, port)| port.parse::<u16>().ok()).filter(|port| *port > 0);
        if port.is_none() || line.contains(char::is_whitespace) {
            return Err(HostsError::Line { number, text: line.to_owned() });
        }
        if hosts.iter().any(|host| host == line) {
            return Err(HostsError::Twice { address: line.to_owned() });
        }
        hosts.push(line.to_owned());
    }
    if hosts.is_empty() { Err(HostsError::Empty) } else { Ok(hosts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_is_refused_with_its_line() {
        let wrong = |text: &str| read_hosts(text).unwrap_err();
        assert_eq!(wrong("# nobody\n"), HostsError::Empty);
        let line = |number, text: &str| HostsError::Line { number, text: text.to_owned() };
        assert_eq!(wrong("a:1\nb\n"), line(2, "b"));
        assert_eq!(wrong("a:0"), line(1, "a:0"));
        assert_eq!(wrong(":80"), line(1, ":80"));
        assert_eq!(wrong("a:1 b:2"), line(1, "a:1 b:2"));
        assert_eq!(wrong("a:1\na:1"), HostsError::Twice { address: "a:1".to_owned() });
        assert_eq!(read_hosts("[::1]:80").unwrap(), ["[::1]:80"]);
    }
}
