//! The few styles we print with. They are always written; `anstream` takes them away where there is no terminal.

use anstyle::{AnsiColor, Style};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
pub(crate) const GREEN: Style = AnsiColor::Green.on_default().bold();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const CYAN: Style = AnsiColor::Cyan.on_default();
