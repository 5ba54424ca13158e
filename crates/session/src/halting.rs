//! Work that an edge watches: it ends where the edge's probe says so.

use foresee_stdx::halt::{self, Halted, Probe};
use std::sync::Arc;

/// Does some work, unless `probe` halts it. What the work was about stays as it was before the step that was halted.
///
/// ```
/// use foresee_session::until_halted;
/// assert_eq!(until_halted(None, || 1 + 1), Ok(2));
/// ```
pub fn until_halted<R>(
    probe: Option<Arc<dyn Probe>>,
    work: impl FnOnce() -> R,
) -> Result<R, Halted> {
    let _watching = halt::watch(probe);
    halt::until_halted(work)
}
