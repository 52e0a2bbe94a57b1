//! Host-variable arrays: the items of one row, and how many rows a statement is for.
//!
//! What: a call has the first element of each array; the others lie behind it, a VARCHAR with its
//! length. Why addresses: an item of a call reaches to its own end. Not here: values.

use crate::input::{integer, values};
use crate::output::set_integer;
use crate::places::{Place, Places};
use transom_commands::sql::{Role, View};
use transom_wire::sql::{SqlAnswer, SqlInputs};
use transom_workers::seam::{Host, SqlCall};

/// Indicator: the row is a hole.
const HOLE: i64 = -3;
/// Most rows of a statement.
const ROWS_MAX: i64 = 32_767;

/// An item of a call, with where its elements are.
#[derive(Debug, Clone, Copy)]
struct Strided {
    first: Place,
    /// Bytes from one element to the next; 0: it is no array.
    stride: usize,
}

/// The items of a call as the elements of one row, from 0.
pub fn element<'a>(
    call: &dyn SqlCall,
    view: View<'a>,
    host: &'a mut dyn Host,
    row: usize,
) -> Places<'a> {
    let place = |item: Strided| Place {
        address: item.first.address + row * item.stride,
        ..item.first
    };
    let all = strided(call, view).into_iter().map(place).collect();
    Places { view, host, all }
}

fn strided(call: &dyn SqlCall, view: View<'_>) -> Vec<Strided> {
    let roles = call.roles();
    let is_length = |n: usize| {
        let role = roles.get(n);
        matches!(role, Some(Role::InputLength | Role::OutputLength))
    };
    let item = |(n, role): (usize, &Role)| {
        let bytes = call.bytes(n);
        let stride = match view.elements(n) {
            0 => 0,
            // A VARCHAR is its length and its text.
            _ if is_length(n) => bytes.len() + call.bytes(n + 1).len(),
            _ if n > 0 && is_length(n - 1) => call.bytes(n - 1).len() + bytes.len(),
            _ => bytes.len(),
        };
        let first = Place {
            role: *role,
            item: call.item(n),
            address: bytes.as_ptr().addr(),
            bytes: bytes.len(),
        };
        Strided { first, stride }
    };
    roles.iter().enumerate().map(item).collect()
}

/// Most rows that the arrays of a call have room for.
pub fn most(view: &View<'_>) -> u32 {
    let elements = (0..view.roles().count()).map(|n| view.elements(n));
    let least = elements.filter(|count| *count > 0).min();
    least.map_or(ROWS_MAX as u32, |n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// FOR n ROWS: an item, or a number in the text of the call; `None`: it is not there. The error is
/// the answer: -246, the number is not valid.
pub fn wanted(call: &dyn SqlCall, cursor: &str, given: &str) -> Result<Option<u32>, SqlAnswer> {
    let at = call.roles().iter().position(|role| *role == Role::Count);
    let number = match at {
        Some(at) => integer(call, at),
        None if given.is_empty() => return Ok(None),
        None => given.parse().unwrap_or(0),
    };
    let most = most(&call.statement());
    match u32::try_from(number) {
        Ok(rows) if rows > 0 && rows <= most => Ok(Some(rows)),
        _ => Err(SqlAnswer {
            tokens: vec![cursor.to_owned(), number.to_string(), most.to_string()],
            ..SqlAnswer::of(-246, *b"42873")
        }),
    }
}

/// Values of so many rows; the error is the answer to the statement.
pub fn rows(
    call: &dyn SqlCall,
    host: &mut dyn Host,
    count: u32,
) -> Result<Vec<SqlInputs>, SqlAnswer> {
    let view = call.statement();
    let one = |row: u32| {
        let items = element(call, view, host, row as usize);
        Ok(SqlInputs {
            inputs: values(&items)?,
        })
    };
    (0..count).map(one).collect()
}

/// Tells that a row is a hole; `false`: an item has no indicator to tell it.
pub fn hole(items: &mut dyn SqlCall) -> bool {
    let found = crate::variables::variables(items, true);
    let told = found.iter().all(|variable| variable.indicator.is_some());
    for at in found.iter().filter_map(|variable| variable.indicator) {
        set_integer(items, at, HOLE);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_commands::sql::{Statement, Verb};
    use transom_workers::seam::{Item, ItemKind};

    /// Items over one area.
    struct Area<'a> {
        view: View<'a>,
        bytes: Vec<u8>,
        /// From and to.
        items: Vec<(usize, usize)>,
    }

    impl SqlCall for Area<'_> {
        fn statement(&self) -> View<'_> {
            self.view
        }

        fn roles(&self) -> Vec<Role> {
            self.view.roles().collect()
        }

        fn item(&self, _: usize) -> Item {
            Item {
                kind: ItemKind::Binary { big: true },
                digits: 4,
                scale: 0,
                signed: true,
            }
        }

        fn bytes(&self, n: usize) -> &[u8] {
            let (from, to) = self.items[n];
            &self.bytes[from..to]
        }

        fn bytes_mut(&mut self, n: usize) -> &mut [u8] {
            let (from, to) = self.items[n];
            &mut self.bytes[from..to]
        }
    }

    #[test]
    fn elements_lie_one_behind_the_other() {
        let statement = Statement {
            verb: Verb::InsertRows,
            flags: 0,
            line: 1,
            roles: vec![
                Role::Input,
                Role::InputLength,
                Role::Input,
                Role::Indicator,
                Role::Input,
                Role::Count,
            ],
            elements: vec![9, 5, 5, 7, 0, 0],
            cursor: String::new(),
            program: "P".to_owned(),
            text: String::new(),
        };
        let bytes = statement.encode().unwrap();
        let area = Area {
            view: View::new(&bytes).unwrap(),
            bytes: vec![0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3],
            items: vec![(0, 2), (2, 4), (4, 10), (10, 12), (12, 14), (14, 16)],
        };
        let strides: Vec<usize> = strided(&area, area.view).iter().map(|s| s.stride).collect();
        assert_eq!(strides, [2, 8, 8, 2, 0, 0]);
        assert_eq!(most(&area.view), 5);
        assert_eq!(wanted(&area, "*N", ""), Ok(Some(3)));
        let mut six = area;
        six.bytes[15] = 6;
        let refused = wanted(&six, "*N", "").unwrap_err();
        assert_eq!(
            (refused.code, refused.tokens.join(" ")),
            (-246, "*N 6 5".to_owned())
        );
    }
}
