//! The library's sources, unpacked from the binary. See `build.rs` for the format.

use lzma_rust2::LzmaReader;
use std::io::Read;
use std::path::PathBuf;

static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sources.lzma"));

/// Where they go, relative to the new crate.
pub(crate) const FOLDER: &str = "vendor/foresee";

/// Every file with its place in the new crate.
pub(crate) fn files() -> Vec<(PathBuf, Vec<u8>)> {
    let place = |(name, content): (String, Vec<u8>)| (PathBuf::from(FOLDER).join(name), content);
    unpacked().into_iter().map(place).collect()
}

/// One of them.
pub(crate) fn file(name: &str) -> Vec<u8> {
    let found = unpacked().into_iter().find(|(own, _)| own == name);
    found.map(|(_, content)| content).expect("packed by the build script")
}

/// Every file with its name in the workspace.
pub(crate) fn unpacked() -> Vec<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    LzmaReader::new_mem_limit(PACKED, u32::MAX, None)
        .and_then(|mut reader| reader.read_to_end(&mut bytes))
        .expect("packed by the build script of this binary");
    let mut rest = bytes.as_slice();
    let mut files = Vec::new();
    let take = |rest: &mut &[u8], n: usize| -> Vec<u8> {
        let (taken, left) = rest.split_at(n);
        *rest = left;
        taken.to_vec()
    };
    let length = |rest: &mut &[u8]| -> usize {
        let bytes = take(rest, 4).try_into().expect("four bytes");
        u32::from_le_bytes(bytes) as usize
    };
    while !rest.is_empty() {
        let (n_name, n_content) = (length(&mut rest), length(&mut rest));
        let name = String::from_utf8(take(&mut rest, n_name)).expect("a name is text");
        files.push((name, take(&mut rest, n_content)));
    }
    files
}
