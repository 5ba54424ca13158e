//! `-include` and `-include_lib`: the edge finds files; a few headers of OTP are our own and always there.

use super::Preprocessor;
use crate::codes;
use crate::token::{Tok, Token};
use foresee_text::Diagnostic;

/// What an include directive asks for.
#[derive(Clone, Copy, Debug)]
pub struct IncludeRequest<'a> {
    /// As written in the directive.
    pub path: &'a str,
    /// True for `-include_lib`, whose path starts with an application's name.
    pub library: bool,
    /// The path of the file with the directive.
    pub from: &'a str,
}

/// A file the edge found.
#[derive(Clone, Debug)]
pub struct IncludedFile {
    /// How messages name it.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The edge's way of finding include files.
pub type Includes<'a> = &'a mut dyn FnMut(&IncludeRequest<'_>) -> Option<IncludedFile>;

/// For text that includes nothing but our own headers.
pub fn no_includes(_: &IncludeRequest<'_>) -> Option<IncludedFile> {
    None
}

/// Headers of our own writing.
const OWN: &[(&str, &str)] = &[
    ("eunit/include/eunit.hrl", include_str!("../include/eunit.hrl")),
    ("stdlib/include/assert.hrl", include_str!("../include/assert.hrl")),
    ("stdlib/include/ms_transform.hrl", include_str!("../include/ms_transform.hrl")),
    ("stdlib/include/qlc.hrl", include_str!("../include/qlc.hrl")),
    ("kernel/include/logger.hrl", include_str!("../include/logger.hrl")),
    ("kernel/include/file.hrl", include_str!("../include/file.hrl")),
    ("kernel/include/inet.hrl", include_str!("../include/inet.hrl")),
    ("stdlib/include/erl_compile.hrl", include_str!("../include/erl_compile.hrl")),
    ("common_test/include/ct.hrl", include_str!("../include/ct.hrl")),
    ("common_test/include/test_server.hrl", include_str!("../include/ct.hrl")),
    ("public_key/include/public_key.hrl", include_str!("../include/public_key.hrl")),
    ("public_key/include/OTP-PUB-KEY.hrl", include_str!("../include/public_key.hrl")),
    ("xmerl/include/xmerl.hrl", include_str!("../include/xmerl.hrl")),
];

const INCLUDE_DEPTH_MAX: usize = 64;

impl Preprocessor<'_> {
    pub(super) fn include(&mut self, raw: &[Token], library: bool) {
        let form = self.expand(raw);
        let Some(Tok::Str(path)) = form.get(3).map(|token| &token.kind) else {
            let word = if library { "include_lib" } else { "include" };
            let help = format!("write `-{word}(\"file.hrl\").`");
            self.include_missing = true;
            return self.bad_directive(
                raw,
                format!("`-{word}` needs a file name in quotes"),
                &help,
            );
        };
        let span = raw[3.min(raw.len() - 1)].span;
        if self.files.len() >= INCLUDE_DEPTH_MAX {
            let problem = "files include each other without end";
            self.diagnostics.push(Diagnostic::error(codes::EXPANSION_LIMIT, span, problem));
            return;
        }
        match self.find(path, library) {
            Some(found) => self.open(&found.path, &found.text),
            None => {
                self.include_missing = true;
                let problem = format!("include file `{path}` was not found");
                let help = if library {
                    "the first part of the path is an application; add its folder with `-I` or `--otp`"
                } else {
                    "files are looked for beside the including file and in the folders of `-I`"
                };
                self.diagnostics
                    .push(Diagnostic::error(codes::INCLUDE_NOT_FOUND, span, problem).help(help));
            }
        }
    }

    fn find(&mut self, path: &str, library: bool) -> Option<IncludedFile> {
        let exact = OWN.iter().find(|(name, _)| *name == path);
        if let Some((name, text)) = exact {
            return Some(IncludedFile { path: name.to_string(), text: text.to_string() });
        }
        let from =
            self.files.last().map_or("".into(), |file| self.sources.file(file.id).path.clone());
        let found = (self.includes)(&IncludeRequest { path, library, from: &from });
        found.or_else(|| {
            let own = OWN.iter().find(|(name, _)| name.rsplit('/').next() == Some(path))?;
            Some(IncludedFile { path: own.0.to_string(), text: own.1.to_string() })
        })
    }
}
