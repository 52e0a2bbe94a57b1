//! How translated COBOL calls the region with EXEC SQL: the descriptor in front of every call.
//!
//! What: the byte layout that `translator` writes and `workers` reads. Why here: it goes through
//! the same entry as an EXEC CICS command (see [`abi`](crate::abi)). Not here: SQL.
//!
//! A translated statement is `CALL 'TXMEXEC' USING descriptor item...`. Items are passed by
//! reference with the COBOL field description; what each is for is its [`Role`]. A structure is
//! passed as its elementary items.

/// First bytes of a descriptor.
pub const MAGIC: [u8; 3] = [b'T', b'Q', 1];
/// Flag: the numbers of the SQLCA are COMP-5, in the order of this machine.
pub const FLAG_NATIVE: u8 = 1;
/// Flag: the cursor is WITH HOLD.
pub const FLAG_HOLD: u8 = 2;
/// Flag: the cursor is FOR UPDATE, or its name is in WHERE CURRENT OF.
pub const FLAG_UPDATE: u8 = 4;
/// Flag: the cursor is SCROLL.
pub const FLAG_SCROLL: u8 = 8;
/// Flag: the cursor is WITH ROWSET POSITIONING.
pub const FLAG_ROWSET: u8 = 16;
/// Flag: the cursor is SENSITIVE STATIC SCROLL.
pub const FLAG_SENSITIVE: u8 = 32;
/// Most items of a statement: cobc passes 192 parameters, the first is the descriptor.
pub const MAX_ITEMS: usize = 190;

const HEADER_BYTES: usize = 14;

macro_rules! coded {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $code:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $name { $($(#[$doc])* $variant = $code,)* }

        impl $name {
            fn of(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

coded! {
    /// What a statement does.
    Verb {
        /// Answers one row into items: SELECT INTO, VALUES INTO, SET.
        Select = 1,
        /// Changes rows or definitions.
        Execute = 2,
        /// OPEN; the text is that of the cursor.
        Open = 3,
        /// FETCH; the text says where to: empty is NEXT.
        Fetch = 4,
        /// CLOSE.
        Close = 5,
        /// COMMIT.
        Commit = 6,
        /// ROLLBACK.
        Rollback = 7,
        /// PREPARE; the cursor is the statement's name, the first item its text.
        Prepare = 8,
        /// EXECUTE; the cursor is the statement's name.
        ExecutePrepared = 9,
        /// EXECUTE IMMEDIATE; the first item is the text.
        ExecuteImmediate = 10,
        /// OPEN of a cursor for a prepared statement, which the text names.
        OpenPrepared = 11,
        /// DESCRIBE of a prepared statement, which the cursor names; the text is OUTPUT or INPUT.
        Describe = 12,
        /// GET DIAGNOSTICS; the text says of which condition (`CONDITION 2:`, or `CONDITION ?:` for
        /// the first input item) and names what each output item gets.
        Diagnostics = 13,
        /// INSERT of the rows of arrays; how many is the number in place of a cursor, or an item.
        InsertRows = 14,
        /// FETCH of a rowset; the text says where to and, behind FOR, how many rows.
        FetchRows = 15,
        /// DESCRIBE TABLE; the first item is the name.
        DescribeTable = 16,
    }
}

coded! {
    /// What an item of a call is for.
    Role {
        /// The program gives it.
        Input = 0,
        /// The statement fills it.
        Output = 1,
        /// Length of a VARCHAR that the program gives; the next item is its text.
        InputLength = 2,
        /// Length of a VARCHAR that is filled; the next item is its text.
        OutputLength = 3,
        /// Indicator of the item before.
        Indicator = 4,
        /// The SQLCA.
        Sqlca = 5,
        /// SQLCODE of a program without SQLCA.
        Sqlcode = 6,
        /// SQLSTATE of a program without SQLCA.
        Sqlstate = 7,
        /// The SQLDA: it says where values are, or is filled.
        Descriptor = 8,
        /// FOR n ROWS.
        Count = 9,
    }
}

/// One EXEC SQL statement as the translator saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What it does.
    pub verb: Verb,
    /// [`FLAG_NATIVE`] and the others.
    pub flags: u8,
    /// Line of the EXEC in the user's own source file.
    pub line: u32,
    /// What each item is for, in parameter order.
    pub roles: Vec<Role>,
    /// Elements of each item that is the first one of a host-variable array, 0 for any other;
    /// empty: there are no arrays.
    pub elements: Vec<u16>,
    /// Cursor or prepared statement; empty: none.
    pub cursor: String,
    /// PROGRAM-ID: names of cursors are those of one program.
    pub program: String,
    /// In Db2's dialect, with `?` for each host variable.
    pub text: String,
}

impl Statement {
    /// Header `magic(3) flags(1) verb(1) 0 line(4) itemc(1) cursor(1) program(1) arrays(1)`, a byte
    /// for each item, two for each where there are arrays, cursor, program, and the text up to the
    /// end. Big-endian. `None`: too many items, or a name that is too long.
    pub fn encode(&self) -> Option<Vec<u8>> {
        let count = |n: usize| u8::try_from(n).ok();
        if self.roles.len() > MAX_ITEMS {
            return None;
        }
        let mut out = MAGIC.to_vec();
        out.extend([self.flags, self.verb as u8, 0]);
        out.extend(self.line.to_be_bytes());
        out.push(count(self.roles.len())?);
        out.push(count(self.cursor.len())?);
        out.push(count(self.program.len())?);
        let arrays = self.elements.iter().any(|count| *count > 0);
        out.push(u8::from(arrays));
        out.extend(self.roles.iter().map(|role| *role as u8));
        if arrays {
            let elements = |n| self.elements.get(n).copied().unwrap_or(0);
            out.extend((0..self.roles.len()).flat_map(|n| elements(n).to_be_bytes()));
        }
        out.extend(self.cursor.as_bytes());
        out.extend(self.program.as_bytes());
        out.extend(self.text.as_bytes());
        Some(out)
    }
}

/// A descriptor read in place.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// What it does.
    pub verb: Verb,
    /// Flags.
    pub flags: u8,
    /// Line of the EXEC.
    pub line: u32,
    /// A byte for each item.
    roles: &'a [u8],
    /// Two bytes for each item, or none.
    elements: &'a [u8],
    /// Cursor or prepared statement.
    pub cursor: &'a str,
    /// PROGRAM-ID.
    pub program: &'a str,
    /// The statement.
    pub text: &'a str,
}

impl<'a> View<'a> {
    /// `None`: these bytes are no descriptor (any more).
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let (header, rest) = bytes.split_first_chunk::<HEADER_BYTES>()?;
        if header[..3] != MAGIC {
            return None;
        }
        let (roles, rest) = rest.split_at_checked(header[10].into())?;
        let arrays = if header[13] == 0 { 0 } else { 2 * roles.len() };
        let (elements, rest) = rest.split_at_checked(arrays)?;
        let (cursor, rest) = rest.split_at_checked(header[11].into())?;
        let (program, text) = rest.split_at_checked(header[12].into())?;
        roles
            .iter()
            .try_for_each(|code| Role::of(*code).map(drop))?;
        Some(Self {
            verb: Verb::of(header[4])?,
            flags: header[3],
            line: u32::from_be_bytes([header[6], header[7], header[8], header[9]]),
            roles,
            elements,
            cursor: str::from_utf8(cursor).ok()?,
            program: str::from_utf8(program).ok()?,
            text: str::from_utf8(text).ok()?,
        })
    }

    /// What each item is for.
    pub fn roles(&self) -> impl Iterator<Item = Role> + use<'a> {
        self.roles.iter().filter_map(|code| Role::of(*code))
    }

    /// Elements of the array whose first one item `n` is; 0: it is none.
    pub fn elements(&self, n: usize) -> usize {
        let both = self.elements.get(2 * n..2 * n + 2);
        both.map_or(0, |b| u16::from_be_bytes([b[0], b[1]]).into())
    }

    /// A flag is set.
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_comes_back_and_a_cut_one_is_none() {
        let statement = Statement {
            verb: Verb::Open,
            flags: FLAG_HOLD | FLAG_NATIVE,
            line: 77,
            roles: vec![Role::Input, Role::Indicator, Role::Sqlca],
            elements: Vec::new(),
            cursor: "C1".to_owned(),
            program: "PAYROLL".to_owned(),
            text: "SELECT NAME FROM EMP WHERE NO = ?".to_owned(),
        };
        let bytes = statement.encode().unwrap();
        let view = View::new(&bytes).unwrap();
        assert_eq!((view.verb, view.line), (Verb::Open, 77));
        assert_eq!(view.roles().collect::<Vec<_>>(), statement.roles);
        assert_eq!((view.cursor, view.program), ("C1", "PAYROLL"));
        assert_eq!(view.text, statement.text);
        assert!(view.has(FLAG_HOLD) && !view.has(FLAG_UPDATE));
        assert!((0..HEADER_BYTES + 12).all(|cut| View::new(&bytes[..cut]).is_none()));
        assert_eq!(view.elements(0), 0);
        let arrays = Statement {
            elements: vec![300, 299],
            ..statement.clone()
        };
        let bytes = arrays.encode().unwrap();
        let view = View::new(&bytes).unwrap();
        let elements = [0, 1, 2, 3].map(|n| view.elements(n));
        assert_eq!((elements, view.cursor), ([300, 299, 0, 0], "C1"));
        assert!((0..HEADER_BYTES + 18).all(|cut| View::new(&bytes[..cut]).is_none()));
        let many = Statement {
            roles: vec![Role::Input; MAX_ITEMS + 1],
            ..statement
        };
        assert_eq!(many.encode(), None);
    }
}
