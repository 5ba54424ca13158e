//! What a command is about: the words and flags that name it become a [`Source`], the same way for every command.
//! Which kind of thing the words name is guessed by [`Source::of_words`]; which flags it takes is known there too. Here are only
//! the flags: their names, whether they were given, and what they set.

use crate::Program;
use crate::args::{Erlang, Faults, Sources, What};
use crate::disk::Disk;
use crate::erlang;
use foresee_session::{BuildOptions, Diagnostic, Feature, LabelOptions, Loaded, Source, open};

/// A flag: its name, whether it was given, and what it asks for.
pub(crate) type Flag = (&'static str, bool, Feature);

/// Refuses flags that the system does not take.
pub(crate) fn refuse(source: &Source, flags: &[Flag]) -> Result<(), Diagnostic> {
    let mut given = flags.iter().filter(|(_, is_given, _)| *is_given);
    given.try_for_each(|(flag, _, feature)| source.require(*feature, flag))
}

impl What {
    /// Opens it, refusing flags that mean nothing for it.
    pub(crate) fn open(
        &self,
        program: &Program,
        faults: &Faults,
        check_code: bool,
    ) -> Result<Loaded, Diagnostic> {
        open(&self.source(program, faults, check_code, None)?, &program.registry, &Disk)
    }

    /// The same for questions about what is seen from the outside.
    pub(crate) fn open_with_labels(
        &self,
        program: &Program,
        faults: &Faults,
        labels: &LabelOptions,
    ) -> Result<Loaded, Diagnostic> {
        open(&self.source(program, faults, false, Some(labels))?, &program.registry, &Disk)
    }

    /// What the words and flags name.
    pub(crate) fn source(
        &self,
        program: &Program,
        faults: &Faults,
        check_code: bool,
        labels: Option<&LabelOptions>,
    ) -> Result<Source, Diagnostic> {
        let mut source = Source::of_words(&self.all_words(), &program.registry, &Disk)?;
        refuse(&source, &self.flags())?;
        refuse(&source, &faults.flags(check_code))?;
        match &mut source {
            Source::Nodes(nodes) => nodes.options = build_options(faults, check_code),
            Source::Erlang(program) => {
                erlang::complete(program, &self.erlang)?;
                program.options.crashes = erlang::crashes(faults)?;
                if let Some(labels) = labels {
                    program.options.show_labels(labels);
                }
            }
            Source::ModelFile(file) => file.merge_positions = self.merge_positions,
        }
        Ok(source)
    }

    fn all_words(&self) -> Vec<String> {
        std::iter::once(&self.name).chain(&self.parameters).cloned().collect()
    }

    /// All words, for reports about what could not be opened.
    pub(crate) fn words(&self) -> String {
        self.all_words().join(" ")
    }

    fn flags(&self) -> Vec<Flag> {
        // Every field is named, so that a new one does not compile until it has its row.
        let Erlang {
            module,
            test,
            supervisor,
            sources: Sources { include, define, src, otp },
            instant_delivery,
            after_timeout,
            send_after_timeout,
            timer_firings_max,
            clock,
            treat_as_normal,
            ignore_error,
            assertions_only,
            first_process_errors_only,
        } = &self.erlang;
        let erlang = [
            ("--module", module.is_some()),
            ("--test", test.is_some()),
            ("--supervisor", supervisor.is_some()),
            ("--include", !include.is_empty()),
            ("--define", !define.is_empty()),
            ("--src", !src.is_empty()),
            ("--otp", otp.is_some()),
            ("--instant-delivery", instant_delivery.is_some()),
            ("--after-timeout", after_timeout.is_some()),
            ("--send-after-timeout", send_after_timeout.is_some()),
            ("--timer-firings-max", timer_firings_max.is_some()),
            ("--clock", clock.is_some()),
            ("--treat-as-normal", !treat_as_normal.is_empty()),
            ("--ignore-error", !ignore_error.is_empty()),
            ("--assertions-only", *assertions_only),
            ("--first-process-errors-only", *first_process_errors_only),
        ];
        let erlang = erlang.map(|(flag, is_given)| (flag, is_given, Feature::ErlangOptions));
        let merge = ("--merge-positions", self.merge_positions, Feature::MergePositions);
        erlang.into_iter().chain([merge]).collect()
    }
}

impl Faults {
    fn flags(&self, check_code: bool) -> [Flag; 11] {
        let Faults {
            crash,
            crashes_max,
            crash_points,
            restart,
            restarts_max,
            drops_max,
            duplicates_max,
            partitions_max,
            torn_writes_max,
            lost_disks_max,
        } = self;
        [
            ("--crash", !crash.is_empty(), Feature::Crashes),
            ("--crashes-max", crashes_max.is_some(), Feature::Crashes),
            ("--restarts-max", *restarts_max > 0, Feature::NetworkFaults),
            ("--drops-max", *drops_max > 0, Feature::NetworkFaults),
            ("--duplicates-max", *duplicates_max > 0, Feature::NetworkFaults),
            ("--partitions-max", *partitions_max > 0, Feature::NetworkFaults),
            ("--torn-writes-max", *torn_writes_max > 0, Feature::NetworkFaults),
            ("--lost-disks-max", *lost_disks_max > 0, Feature::NetworkFaults),
            ("--check-code", check_code, Feature::CodeCheck),
            ("--crash-points", crash_points.is_some(), Feature::ProcessCrashes),
            ("--restart", restart.is_some(), Feature::ProcessCrashes),
        ]
    }
}

fn build_options(faults: &Faults, check_code: bool) -> BuildOptions {
    let crashes_default = u32::from(!faults.crash.is_empty());
    BuildOptions {
        drops: faults.drops_max,
        duplicates: faults.duplicates_max,
        crashes: faults.crashes_max.unwrap_or(crashes_default),
        restarts: faults.restarts_max,
        partitions: faults.partitions_max,
        torn_writes: faults.torn_writes_max,
        lost_disks: faults.lost_disks_max,
        check_code,
        ..BuildOptions::default()
    }
}
