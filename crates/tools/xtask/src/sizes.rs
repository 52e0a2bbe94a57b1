//! How large a room may become.
//!
//! What: the lines of a room without its tests, held against a bound. Why: a room that nobody can
//! read through any more holds several domains, and grew by one harmless change after another. Not
//! here: files and functions (`ratchet`, `functions`).

/// A bound for rooms whose names begin alike.
struct Bound {
    rooms: &'static str,
    lines_max: usize,
    /// What to do about it.
    advice: &'static str,
}

const BOUNDS: &[Bound] = &[
    Bound {
        rooms: "crates/region/",
        lines_max: 16_000,
        advice: "give a domain in it that needs none of its services a room of its own \
                 (docs/decisions/0030-rooms-have-a-bound.md)",
    },
    Bound {
        rooms: "crates/tools/transom",
        lines_max: 4_000,
        advice: "it wires rooms together; what does anything beside that belongs into the room \
                 whose domain it is (docs/decisions/0030-rooms-have-a-bound.md)",
    },
];

/// The room has more lines than it may have.
pub(crate) fn check(room: &str, lines: usize, problems: &mut Vec<String>) {
    let bound = BOUNDS.iter().find(|bound| room.starts_with(bound.rooms));
    if let Some(bound) = bound.filter(|bound| lines > bound.lines_max) {
        let (most, advice) = (bound.lines_max, bound.advice);
        problems.push(format!(
            "{room}: {lines} lines without tests, at most {most}: {advice}"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_has_so_many_lines_and_no_more() {
        let problems = |room: &str, lines: usize| {
            let mut problems = Vec::new();
            check(room, lines, &mut problems);
            problems
        };
        assert_eq!(problems("crates/region/server", 16_000), [""; 0]);
        let told = problems("crates/region/server", 16_001);
        assert!(told[0].starts_with("crates/region/server: 16001 lines"));
        assert!(told[0].contains("a room of its own"), "{told:?}");
        assert_eq!(problems("crates/tools/transom", 4_000), [""; 0]);
        assert!(problems("crates/tools/transom", 4_001)[0].contains("wires rooms"));
        assert_eq!(problems("crates/formats/copybook", 20_000), [""; 0]);
    }
}
