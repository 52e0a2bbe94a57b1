//! The members of a document and the items they belong to.
//!
//! Not here: what becomes of a value (`value`), words of JSON (`scan`).

use super::characters::Characters;
use super::codes::{
    ANONYMOUS, CONTRADICTORY, EMPTY, ENCODING, FEW_ELEMENTS, INCOMPATIBLE, INVALID,
    ITEM_WITHOUT_PAIR, MANY_ELEMENTS, NULL, NULL_ELEMENT, PAIR_WITHOUT_ITEM, REPEATED, SUPERFLUOUS,
    TRUTH, UNMATCHED,
};
use super::frame::{Frame, Seen};
use super::scan::Scan;
use super::target::{Receiver, Table, Target};
use super::tree::Tree;
use super::value::{self, Value};
use super::want::Want;

/// A statement under way.
#[derive(Debug)]
pub struct JsonParse {
    /// `None`: the text is not in its characters.
    scan: Option<Scan>,
    /// JSON-CODE where there is no text.
    unread: i32,
    ignores_null: bool,
    tree: Tree,
    frames: Vec<Frame>,
    begun: bool,
    ended: bool,
    matched: bool,
    value: Value,
    code: i32,
    status: i32,
}

type Found = Result<Option<Want>, i32>;

impl JsonParse {
    /// Of this text in these characters, if they are known.
    pub fn new(text: &[u8], characters: Option<Characters>, ignores_null: bool) -> Self {
        let scan = characters.and_then(|characters| characters.text(text));
        Self {
            scan: scan.map(Scan::new),
            unread: match characters {
                Some(_) => INVALID,
                None => ENCODING,
            },
            ignores_null,
            tree: Tree::default(),
            frames: Vec::new(),
            begun: false,
            ended: false,
            matched: false,
            value: Value::Text(Vec::new()),
            code: 0,
            status: 0,
        }
    }

    /// Adds an item, the receiver first and groups before what they hold; `None`: it has no place.
    pub fn add(&mut self, target: Target) -> Option<()> {
        match self.begun {
            true => None,
            false => self.tree.add(target),
        }
    }

    /// What comes next.
    pub fn next_value(&mut self) -> Want {
        if self.ended || self.tree.get(0).is_none() {
            return Want::Done;
        }
        let Some(mut scan) = self.scan.take() else {
            self.code = self.unread;
            return Want::Done;
        };
        let found = self.find(&mut scan);
        self.scan = Some(scan);
        match found {
            Ok(Some(want)) => return want,
            Ok(None) if !self.matched => self.code = UNMATCHED,
            Ok(None) => {}
            Err(code) => self.code = code,
        }
        self.ended = true;
        Want::Done
    }

    /// How often the table of [`Want::Count`] occurs.
    pub fn count(&mut self, occurrences: u32) {
        if let Some(Frame::Array { count, .. }) = self.frames.last_mut() {
            *count = occurrences;
        }
    }

    /// Occurrences of the tables that are open, the outermost first.
    pub fn indexes(&self) -> impl Iterator<Item = u32> {
        self.frames.iter().filter_map(|frame| match frame {
            Frame::Array { index, .. } => Some(*index),
            Frame::Object { .. } => None,
        })
    }

    /// The characters of [`Want::Text`].
    pub fn text(&self) -> &[u8] {
        match &self.value {
            Value::Text(text) => text,
            Value::Number(_) => &[],
        }
    }

    /// Sign and digits of [`Want::Number`].
    pub fn digits(&self, whole: usize, part: usize) -> Option<Vec<u8>> {
        match &self.value {
            Value::Number(number) => Some(number.written(whole, part)),
            Value::Text(_) => None,
        }
    }

    /// It as COMP-1 and COMP-2.
    pub fn floats(&self) -> Option<(f32, f64)> {
        match &self.value {
            Value::Number(number) => Some((number.short(), number.long())),
            Value::Text(_) => None,
        }
    }

    /// JSON-CODE.
    pub fn code(&self) -> i32 {
        self.code
    }

    /// JSON-STATUS.
    pub fn status(&self) -> i32 {
        self.status
    }

    fn find(&mut self, scan: &mut Scan) -> Found {
        if !self.begun {
            self.begun = true;
            if let Some(want) = self.begin(scan)? {
                return Ok(Some(want));
            }
        }
        while let Some(frame) = self.frames.last() {
            let found = match frame {
                Frame::Object { .. } => self.member(scan)?,
                Frame::Array { .. } => self.element(scan)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        match scan.peek() {
            None => Ok(None),
            Some(_) => Err(SUPERFLUOUS),
        }
    }

    fn begin(&mut self, scan: &mut Scan) -> Found {
        let (omitted, table) = match self.tree.get(0) {
            Some(root) => (root.name.is_empty(), root.table != Table::No),
            None => (false, false),
        };
        match scan.peek() {
            None => Err(EMPTY),
            Some(b'{') if omitted && table => Err(INCOMPATIBLE),
            Some(b'{') => {
                scan.at += 1;
                self.open(omitted.then_some(0));
                Ok(None)
            }
            Some(b'[') if omitted && table => self.array(0, scan),
            Some(b'[') => Err(ANONYMOUS),
            Some(_) => Err(INVALID),
        }
    }

    fn open(&mut self, of: Option<usize>) {
        self.frames.push(Frame::Object {
            of,
            first: true,
            seen: Vec::new(),
        });
    }

    /// The next member of an object, or its end.
    fn member(&mut self, scan: &mut Scan) -> Found {
        let behind = scan.at;
        let byte = scan.peek();
        let Some(Frame::Object { of, first, seen }) = self.frames.last_mut() else {
            return Err(INVALID);
        };
        if let Some(last) = seen.last_mut().filter(|last| last.to == 0) {
            last.to = behind;
        }
        let of = *of;
        match byte {
            Some(b'}') => {
                scan.at += 1;
                self.close(of);
                return Ok(None);
            }
            Some(b',') if !*first => scan.at += 1,
            Some(_) if *first => {}
            _ => return Err(INVALID),
        }
        *first = false;
        let name = scan.name()?;
        scan.peek();
        match self.tree.named(of, &name) {
            Some(target) => self.pair(target, scan),
            None => {
                self.status |= PAIR_WITHOUT_ITEM;
                scan.skip()?;
                Ok(None)
            }
        }
    }

    /// An object has ended.
    fn close(&mut self, of: Option<usize>) {
        let Some(Frame::Object { seen, .. }) = self.frames.pop() else {
            return;
        };
        let inside = self.tree.inside(of);
        let missing =
            |n: &usize| self.tree.is_wanted(*n) && seen.iter().all(|seen| seen.target != *n);
        if inside.iter().any(missing) {
            self.status |= ITEM_WITHOUT_PAIR;
        }
    }

    /// The value of a member that an item of this name takes.
    fn pair(&mut self, target: usize, scan: &mut Scan) -> Found {
        let from = scan.at;
        let Some(Frame::Object { seen, .. }) = self.frames.last_mut() else {
            return Err(INVALID);
        };
        let before = seen.iter().find(|seen| seen.target == target);
        if let Some(before) = before.map(|seen| seen.from..seen.to) {
            scan.skip()?;
            let first = scan.between(before.start, before.end);
            if !value::same(first, scan.between(from, scan.at)) {
                return Err(CONTRADICTORY);
            }
            self.status |= REPEATED;
            return Ok(None);
        }
        seen.push(Seen {
            target,
            from,
            to: 0,
        });
        let Some(item) = self.tree.get(target) else {
            return Err(INVALID);
        };
        if item.suppressed {
            scan.skip()?;
            return Ok(None);
        }
        match (item.table, scan.peek()) {
            (Table::No, _) => self.value(target, false, scan),
            (_, Some(b'[')) => self.array(target, scan),
            (_, Some(b'n' | b't' | b'f')) => self.value(target, false, scan),
            (_, _) => {
                scan.skip()?;
                Err(INCOMPATIBLE)
            }
        }
    }

    /// An array begins.
    fn array(&mut self, of: usize, scan: &mut Scan) -> Found {
        scan.at += 1;
        let table = self.tree.get(of).map_or(Table::No, |table| table.table);
        let count = match table {
            Table::Fixed(occurrences) => occurrences,
            Table::No | Table::Depending => 0,
        };
        self.frames.push(Frame::Array {
            of,
            first: true,
            index: 0,
            count,
        });
        Ok((table == Table::Depending).then_some(Want::Count(of)))
    }

    /// The next element of an array, or its end.
    fn element(&mut self, scan: &mut Scan) -> Found {
        let byte = scan.peek();
        let Some(Frame::Array {
            of,
            first,
            index,
            count,
        }) = self.frames.last_mut()
        else {
            return Err(INVALID);
        };
        match byte {
            Some(b']') => {
                scan.at += 1;
                if index < count {
                    self.status |= FEW_ELEMENTS;
                }
                self.frames.pop();
                return Ok(None);
            }
            Some(b',') if !*first => {
                scan.at += 1;
                scan.peek();
            }
            Some(_) if *first => {}
            _ => return Err(INVALID),
        }
        *first = false;
        if *index >= *count {
            self.status |= MANY_ELEMENTS;
            scan.skip()?;
            return Ok(None);
        }
        *index += 1;
        let of = *of;
        self.value(of, true, scan)
    }

    /// A value for an item or an occurrence of one.
    fn value(&mut self, target: usize, element: bool, scan: &mut Scan) -> Found {
        let Some(item) = self.tree.get(target) else {
            return Err(INVALID);
        };
        let (truth, receiver) = (item.truth, item.receiver);
        // No occurrence of a table is meant: nothing can be moved.
        let whole = item.table != Table::No && !element;
        let is_group = receiver == Receiver::Group;
        self.matched |= !is_group;
        match scan.peek() {
            Some(b'{') if is_group => {
                scan.at += 1;
                self.open(Some(target));
                Ok(None)
            }
            Some(b'n') => {
                scan.word("null")?;
                if item.null && !whole {
                    return Ok(Some(Want::Null(target)));
                }
                if !item.ignored && !self.ignores_null {
                    self.status |= if element { NULL_ELEMENT } else { NULL };
                }
                Ok(None)
            }
            Some(byte @ (b't' | b'f')) => {
                let is = byte == b't';
                scan.word(if is { "true" } else { "false" })?;
                match truth {
                    true if whole => Err(INCOMPATIBLE),
                    true => Ok(Some(Want::Truth(target, is))),
                    false => Err(TRUTH),
                }
            }
            Some(b'"') if !is_group && !truth => {
                let text = scan.string()?;
                self.taken(target, value::string(receiver, &text)?)
            }
            Some(b'-' | b'0'..=b'9') if !is_group && !truth => {
                let number = scan.number()?;
                self.taken(target, value::number(receiver, number)?)
            }
            _ => {
                scan.skip()?;
                Err(INCOMPATIBLE)
            }
        }
    }

    fn taken(&mut self, target: usize, (value, status): (Value, i32)) -> Found {
        self.status |= status;
        let want = match value {
            Value::Text(_) => Want::Text(target),
            Value::Number(_) => Want::Number(target),
        };
        self.value = value;
        Ok(Some(want))
    }
}
