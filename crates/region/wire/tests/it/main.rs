//! What INQUIRE tells of definitions of decks, kind by kind.

mod records;
