//! Compiled modules that carry their source: with `debug_info`, which rebar3 and OTP itself compile with, a .beam file has the
//! module in Erlang's abstract format (chunk `Dbgi`, in files of before OTP 20 `Abst`). Given as text it loads as source does.
//! Why text: as for parse transforms (`super::unparse`), there is one place that turns forms into a program.
//! Not here: code without its source, and that of other languages, whose own compilers turn what they kept into forms.

use super::unparse::unparse;
use crate::builtins::{decode_term, inflate};
use crate::term::Term;

/// A module of more bytes is not believed to be one.
const BYTES_MAX: usize = 1 << 28;

/// The text of a compiled module, or why there is none.
///
/// ```
/// let why = foresee_erlang::beam_text(b"FOR1").unwrap_err();
/// assert_eq!(why, "it is no compiled module");
/// ```
pub fn beam_text(bytes: &[u8]) -> Result<String, String> {
    let unpacked = gunzipped(bytes);
    let bytes = unpacked.as_deref().unwrap_or(bytes);
    let chunks = chunks(bytes).ok_or("it is no compiled module")?;
    let chunk = |name: &[u8; 4]| chunks.iter().find(|(own, _)| own == name).map(|(_, data)| *data);
    let forms = match (chunk(b"Dbgi"), chunk(b"Abst")) {
        (Some(data), _) => of_debug_info(data)?,
        (None, Some(data)) if !data.is_empty() => of_abstract_code(data)?,
        _ => return Err("it was compiled without debug_info and has no source in it".to_owned()),
    };
    unparse(&forms).ok_or_else(|| "the forms in it are not understood".to_owned())
}

fn of_debug_info(data: &[u8]) -> Result<Term, String> {
    let term = decode_term(data).ok_or("the debug_info in it is not understood")?;
    let parts = term.as_tuple().ok_or("the debug_info in it is not understood")?;
    let [_, Term::Atom(backend), kept] = parts else {
        return Err("the debug_info in it is not understood".to_owned());
    };
    match (backend.text(), kept.as_tuple()) {
        ("erl_abstract_code", Some([forms, _])) if forms.to_vec().is_some() => Ok(forms.clone()),
        ("erl_abstract_code", _) => {
            Err("it was compiled without debug_info and has no source in it".to_owned())
        }
        ("elixir_erl", _) => {
            Err("it was compiled from Elixir, whose modules are not read".to_owned())
        }
        (other, _) => Err(format!("its source is kept for `{other}`, which is not read")),
    }
}

fn of_abstract_code(data: &[u8]) -> Result<Term, String> {
    match decode_term(data).as_ref().and_then(Term::as_tuple) {
        Some([kind, forms]) if *kind == a!("raw_abstract_v1") => Ok(forms.clone()),
        _ => Err("the abstract code in it is not understood".to_owned()),
    }
}

/// A file may be compressed as a whole.
fn gunzipped(bytes: &[u8]) -> Option<Vec<u8>> {
    // Without any of the optional fields of the header, as Erlang writes it.
    let body = bytes.strip_prefix(&[0x1f, 0x8b, 8, 0])?.get(6..)?;
    inflate(body, false, BYTES_MAX)
}

/// The parts of a file: `FOR1`, a length, `BEAM`, then each a name, a length and bytes up to a multiple of four.
fn chunks(bytes: &[u8]) -> Option<Vec<([u8; 4], &[u8])>> {
    let mut rest = bytes.strip_prefix(b"FOR1")?.get(4..)?.strip_prefix(b"BEAM")?;
    let mut chunks = Vec::new();
    while rest.len() >= 8 {
        let (name, after) = rest.split_first_chunk::<4>()?;
        let (length, after) = after.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        chunks.push((*name, after.get(..length)?));
        rest = after.get(length.next_multiple_of(4)..).unwrap_or(&[]);
    }
    Some(chunks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::encode_term;
    use crate::read_term;

    fn module(debug_info: &str, is_packed: bool) -> Vec<u8> {
        let term = encode_term(&read_term(debug_info).expect("a term"));
        let term = match is_packed {
            true => {
                let packed = miniz_oxide::deflate::compress_to_vec_zlib(&term[1..], 6);
                let size = u32::try_from(term.len() - 1).expect("small").to_be_bytes();
                [&[131, 80], &size[..], &packed].concat()
            }
            false => term,
        };
        let chunk = |name: &[u8], data: &[u8]| {
            let length = u32::try_from(data.len()).expect("small").to_be_bytes();
            let padding = vec![0; data.len().next_multiple_of(4) - data.len()];
            [name, &length, data, &padding].concat()
        };
        let body = [b"BEAM".to_vec(), chunk(b"Atom", b"odd"), chunk(b"Dbgi", &term)].concat();
        let length = u32::try_from(body.len()).expect("small").to_be_bytes();
        [b"FOR1", &length[..], &body].concat()
    }

    #[test]
    fn a_compiled_module_with_its_forms_is_its_text() {
        let forms = "{debug_info_v1,erl_abstract_code,{[{attribute,1,file,{\"m.erl\",1}},\
                     {attribute,1,module,m},{attribute,2,export,[{f,0}]},\
                     {function,3,f,0,[{clause,3,[],[],[{atom,3,ok}]}]},{eof,4}],[]}}";
        for is_packed in [false, true] {
            let text = beam_text(&module(forms, is_packed)).expect("a text");
            let words: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(words.concat(), "-module(m).-export([f/0]).f()->ok.");
        }
    }

    #[test]
    fn what_has_no_forms_says_why() {
        let why = |debug_info: &str| beam_text(&module(debug_info, false)).unwrap_err();
        let stripped = why("{debug_info_v1,erl_abstract_code,{none,[]}}");
        assert!(stripped.contains("without debug_info"), "{stripped}");
        assert!(why("{debug_info_v1,elixir_erl,{a,b}}").contains("Elixir"));
        assert!(why("[]").contains("not understood"));
        assert_eq!(beam_text(b"FOR1\0\0\0\x04BEAM").unwrap_err(), stripped);
        let whole = module("{debug_info_v1,erl_abstract_code,{[],[]}}", true);
        for end in 0..whole.len() {
            let _ = beam_text(&whole[..end]);
        }
    }
}
