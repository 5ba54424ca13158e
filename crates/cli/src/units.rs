//! Numbers as people write and read them: `30s`, `8GiB`, `1,745,408`.

use std::time::Duration;

/// Reads `500ms`, `30s`, `2m`, `1.5h`; a bare number is seconds.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let units = [
        ("", 1.0),
        ("ms", 1e-3),
        ("us", 1e-6),
        ("s", 1.0),
        ("m", 60.0),
        ("min", 60.0),
        ("h", 3600.0),
        ("d", 86400.0),
    ];
    parse(text, &units)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("`{text}` is no duration; write for example 500ms, 30s, 5m or 2h"))
}

/// Reads `8GiB`, `500MB`, `1.5G`; a bare number is bytes.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    let mut units = vec![("", 1.0), ("B", 1.0)];
    for (power, [short, binary, decimal]) in
        [["K", "KiB", "KB"], ["M", "MiB", "MB"], ["G", "GiB", "GB"], ["T", "TiB", "TB"]]
            .iter()
            .enumerate()
    {
        let power = power as i32 + 1;
        units.extend([
            (*short, 1024f64.powi(power)),
            (*binary, 1024f64.powi(power)),
            (*decimal, 1000f64.powi(power)),
        ]);
    }
    parse(text, &units)
        .filter(|bytes| *bytes < u64::MAX as f64)
        .map(|bytes| bytes as u64)
        .ok_or_else(|| format!("`{text}` is no amount of memory; write for example 500MiB or 8GiB"))
}

/// Reads `1ms..10ms`.
pub(crate) fn parse_range(text: &str) -> Result<(Duration, Duration), String> {
    let (min, max) = text.split_once("..").unwrap_or((text, text));
    let (min, max) = (parse_duration(min)?, parse_duration(max)?);
    if min > max {
        return Err(format!("`{text}`: the least latency is greater than the greatest"));
    }
    Ok((min, max))
}

/// How many processes: as many as there may be workers, and some more for their threads.
pub(crate) fn parse_processes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n @ 1..=1024) => Ok(n),
        _ => Err("a number from 1 to 1024 is wanted".to_owned()),
    }
}

/// Reads a probability.
pub(crate) fn parse_probability(text: &str) -> Result<f64, String> {
    let value = match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse(),
    };
    match value {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err(format!("`{text}` is no probability; write for example 0.1 or 10%")),
    }
}

fn parse(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let unit = text[end..].trim();
    let (_, factor) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    Some(number * factor)
}

/// `1745408` as `1,745,408`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 state`, `2 states`.
pub(crate) fn counted(number: u64, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {one}{plural}", grouped(number))
}

/// `12.3 MiB`.
pub(crate) fn bytes(number: u64) -> String {
    let mut value = number as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if value < 1024.0 {
            return if unit == "B" { format!("{number} B") } else { format!("{value:.1} {unit}") };
        }
        value /= 1024.0;
    }
    format!("{value:.1} TiB")
}

/// `830 us`, `12.3 ms`, `4.20 s`, `3 min 20 s`.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 60.0 => format!("{s:.2} s"),
        s if s < 3600.0 => format!("{} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s => format!("{} h {:.0} min", (s / 3600.0).floor(), (s % 3600.0) / 60.0),
    }
}

/// `2.10 M`, `340 k`, `12`.
pub(crate) fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 1e6 => format!("{:.2} M/s", r / 1e6),
        r if r >= 1e4 => format!("{:.0} k/s", r / 1e3),
        r if r >= 1e3 => format!("{:.1} k/s", r / 1e3),
        r => format!("{r:.0}/s"),
    }
}

/// The text, or its start and `…` if it has more than `chars_max` characters.
pub(crate) fn shortened(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    text.chars().take(chars_max.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, ms) in
            [("30s", 30_000), ("500ms", 500), ("2m", 120_000), ("1.5h", 5_400_000), ("7", 7_000)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "s", "-1s", "30 parsecs", "1..2"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn memory() {
        for (text, n) in
            [("8GiB", 8 << 30), ("500MB", 500_000_000), ("1k", 1024), ("12", 12), ("0.5KiB", 512)]
        {
            assert_eq!(parse_bytes(text), Ok(n), "{text}");
        }
        for text in ["", "GiB", "-1", "8 elephants", "99999999999999TiB"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_and_probabilities() {
        assert_eq!(
            parse_range("1ms..10ms"),
            Ok((Duration::from_millis(1), Duration::from_millis(10)))
        );
        assert!(parse_range("10ms..1ms").is_err());
        assert_eq!(parse_probability("10%"), Ok(0.1));
        assert!(parse_probability("1.5").is_err() && parse_probability("often").is_err());
    }

    #[test]
    fn what_people_read() {
        assert_eq!(grouped(1_745_408), "1,745,408");
        assert_eq!(grouped(999), "999");
        assert_eq!(
            (counted(1, "state"), counted(0, "state")),
            ("1 state".to_owned(), "0 states".to_owned())
        );
        assert_eq!(
            (bytes(12), bytes(1536), bytes(5 << 30)),
            ("12 B".to_owned(), "1.5 KiB".to_owned(), "5.0 GiB".to_owned())
        );
        assert_eq!(
            (duration(0.0005), duration(200.0)),
            ("500 us".to_owned(), "3 min 20 s".to_owned())
        );
        assert_eq!(rate(2_100_000.0), "2.10 M/s");
    }
}
