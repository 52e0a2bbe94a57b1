//! Two texts, line by line, as a reader of differences expects them.

/// Nothing when they are the same; else the lines around each that differs, `-` wanted, `+` found.
pub(super) fn between(wanted: &str, found: &str) -> Result<(), String> {
    let (wanted, found): (Vec<&str>, Vec<&str>) = (lines(wanted), lines(found));
    if wanted == found {
        return Ok(());
    }
    let before = wanted.iter().zip(&found).take_while(|(w, f)| w == f);
    let same = before.count();
    let rest = (&wanted[same..], &found[same..]);
    let behind = rest.0.iter().rev().zip(rest.1.iter().rev());
    let tail = behind.take_while(|(w, f)| w == f).count();
    let mut text = String::new();
    for line in &wanted[same.saturating_sub(2)..same] {
        text += &format!("  {line}\n");
    }
    for line in &rest.0[..rest.0.len() - tail] {
        text += &format!("- {line}\n");
    }
    for line in &rest.1[..rest.1.len() - tail] {
        text += &format!("+ {line}\n");
    }
    for line in rest.0[rest.0.len() - tail..].iter().take(2) {
        text += &format!("  {line}\n");
    }
    Err(text)
}

/// Lines without blanks at their ends, and without empty ones at the end of the text.
fn lines(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim_end).collect()
}

#[test]
fn lines_that_differ_are_shown_with_their_neighbours() {
    assert_eq!(between("a\nb  \n\n", "a\nb"), Ok(()));
    let shown = between("a\nb\nc\nd", "a\nB\nc\nd").unwrap_err();
    assert_eq!(shown, "  a\n- b\n+ B\n  c\n  d\n");
}
