//! Commands that the facade adds to the command line: those of the runtime, and `new`.
//! Why here: a command needs the systems of the binary (`session`), somewhere to print (`cli`) and something to do (`runtime`);
//! only the facade knows all three.

#[cfg(feature = "runtime")]
mod cluster;
#[cfg(feature = "runtime")]
mod histories;
#[cfg(feature = "labs")]
pub(crate) mod labs;
#[cfg(feature = "kit")]
mod man;
#[cfg(feature = "runtime")]
mod merge;
#[cfg(feature = "kit")]
mod new;
#[cfg(feature = "runtime")]
mod proxy;
#[cfg(feature = "runtime")]
mod run;
#[cfg(feature = "runtime")]
mod run_text;

use foresee_cli::Cli;

/// The command line with every command that the features of this crate give it.
pub(crate) fn with_all(cli: Cli) -> Cli {
    #[cfg(feature = "kit")]
    let cli = cli.extension(new::extension()).extension(man::extension());
    #[cfg(feature = "runtime")]
    let cli = cli
        .extension(run::extension())
        .extension(histories::extension())
        .extension(merge::extension())
        .extension(proxy::extension())
        .extension(cluster::extension());
    cli
}
