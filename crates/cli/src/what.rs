//! What a command is about: the words and flags that name it become something loaded, the same way for every command.

use crate::args::{Faults, What};
use crate::erlang::{self, Disk};
use crate::{Program, erlang::does_not_apply};
use foresee_session::{
    BuildOptions, Code, Diagnostic, LabelOptions, Loaded, ModelOptions, is_model_file, load,
    load_erlang, load_model_with,
};

impl What {
    /// A specification or a transition system in a file.
    pub(crate) fn is_model(&self) -> bool {
        is_model_file(&self.name)
    }

    /// Loads it, refusing flags that mean nothing for it.
    pub(crate) fn load(
        &self,
        program: &Program,
        faults: &Faults,
        check_code: bool,
    ) -> Result<Loaded, Diagnostic> {
        self.load_asking(program, faults, check_code, None)
    }

    /// The same for questions about what is seen from the outside.
    pub(crate) fn load_with_labels(
        &self,
        program: &Program,
        faults: &Faults,
        labels: &LabelOptions,
    ) -> Result<Loaded, Diagnostic> {
        self.load_asking(program, faults, false, Some(labels))
    }

    fn load_asking(
        &self,
        program: &Program,
        faults: &Faults,
        check_code: bool,
        labels: Option<&LabelOptions>,
    ) -> Result<Loaded, Diagnostic> {
        if self.is_model() {
            self.refuse_erlang_flags()?;
            erlang::refuse_node_flags(faults, check_code, "a model says itself what can happen")?;
            return self.load_model();
        }
        if self.merge_positions {
            return Err(does_not_apply("--merge-positions", "it is for muCRL specifications"));
        }
        if self.is_erlang(&program.registry) {
            let why = "an Erlang program has no network of nodes";
            erlang::refuse_network_flags(faults, check_code, why)?;
            let mut request = self.erlang_request(Some(faults))?;
            if let Some(labels) = labels {
                request.options.show_labels(labels);
            }
            return load_erlang(&request, &Disk);
        }
        self.refuse_erlang_flags()?;
        erlang::refuse_process_flags(
            faults,
            "a node crashes at any time, and restarts by --restarts-max",
        )?;
        let options = build_options(faults, check_code);
        load(&program.registry, &self.name, &self.parameters, &options)
    }

    /// The model of that name; it has no parameters.
    pub(crate) fn load_model(&self) -> Result<Loaded, Diagnostic> {
        if let Some(word) = self.parameters.first() {
            let message = format!("`{}` is a file and takes no parameters", self.name);
            return Err(Diagnostic::new(Code::UnknownParameter, message)
                .at(word.clone())
                .help("leave it out; to compare two models: lts compare A B"));
        }
        let is_specification = self.name.ends_with(".mcrl");
        if self.merge_positions && !is_specification {
            return Err(does_not_apply("--merge-positions", "it is for muCRL specifications"));
        }
        let options = ModelOptions { merge_positions: self.merge_positions };
        load_model_with(&self.name, options, &Disk)
    }

    /// All words, for reports about what could not be loaded.
    pub(crate) fn words(&self) -> String {
        let words: Vec<_> = std::iter::once(&self.name).chain(&self.parameters).cloned().collect();
        words.join(" ")
    }
}

/// Flags about time and networks mean nothing for a model.
pub(crate) fn no_virtual_time(flags: &[(&str, bool)]) -> Result<(), Diagnostic> {
    match flags.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(does_not_apply(flag, "a model has neither time nor a network")),
        None => Ok(()),
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
        check_code,
        for_races: false,
    }
}
