//! Text that a person wrote, from the bytes of its file.

/// UTF-8; bytes that are not are taken as ISO 8859-1, as files from the mainframe's world often
/// are.
pub fn text(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => e.into_bytes().iter().map(|b| char::from(*b)).collect(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn umlauts_of_both_kinds_are_read() {
        assert_eq!(super::text("M\u{fc}ller".into()), "M\u{fc}ller");
        assert_eq!(super::text(b"M\xfcller".to_vec()), "M\u{fc}ller");
    }
}
