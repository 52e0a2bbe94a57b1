//! JSON PARSE as COBOL the compiler knows: the items it may fill, then a MOVE for each value.
//!
//! Why MOVE: what does not fit is cut, edited and aligned as in any other statement. Not here:
//! phrases (`parsing`), which value belongs to an item (`transom_documents`).

use super::calls::Calls;
use super::indicators::Indicated;
use super::nulls::{begin, when_null};
use super::parsing::{Parse, Truths};
use super::reader::Reference;
use super::receiver::receiver;
use super::record::Record;
use super::said::{All, Said, said};
use crate::declared::Declared;
use crate::token::Token;
use transom_copybook::{Field, FieldId};
use transom_documents::{Receiver, Step, Table, Target, Want};

/// What is written for one statement.
pub(super) struct Filling<'a> {
    pub(super) record: &'a Record,
    pub(super) parse: &'a Parse,
    pub(super) declared: &'a Declared,
    /// TRUNC(BIN): COMP holds what its bytes can.
    pub(super) native_binary: bool,
    pub(super) out: Calls,
    /// Items that the program needs for it.
    pub(super) needs: Vec<String>,
    /// Most characters of a value.
    pub(super) characters: usize,
    /// What is done in each case.
    cases: Vec<(i32, Vec<Token>)>,
    targets: usize,
    /// Most tables in each other.
    depth: usize,
}

/// Where an item lies.
#[derive(Clone, Copy)]
struct Place<'a> {
    parent: usize,
    subscripts: &'a str,
    depth: usize,
}

/// Most digits of an item.
const DIGITS_MAX: i32 = 20;

impl<'a> Filling<'a> {
    pub(super) fn new(
        record: &'a Record,
        parse: &'a Parse,
        declared: &'a Declared,
        native_binary: bool,
        out: Calls,
    ) -> Self {
        Self {
            record,
            parse,
            declared,
            native_binary,
            out,
            needs: Vec::new(),
            cases: Vec::new(),
            targets: 0,
            characters: 0,
            depth: 0,
        }
    }

    /// All of it. The error says what is not supported.
    pub(super) fn all(&mut self) -> Result<(), String> {
        let said = said(self.record, self.parse)?;
        let item = self.record.item;
        if !self.record.is_eligible(item) {
            return Err("an item that holds none with a name".to_owned());
        }
        let national = &self.declared.national;
        let national = national.contains_key(&self.parse.source.names[0]);
        begin(self.parse, national, &mut self.out)?;
        let subscripts = self.parse.receiver.subscripts.clone();
        let place = Place {
            parent: 0,
            subscripts: &subscripts,
            depth: 0,
        };
        self.item(item, place, &said)?;
        self.values();
        self.out
            .answered(&Step::JsonStatus, &["TXM-JSON-STATUS"], "TXM-DOC-CODE");
        self.out.write("MOVE TXM-DOC-CODE TO TXM-JSON-CODE");
        if self.parse.detail {
            let line = self.out.at.line;
            self.out.write(&format!(
                "IF TXM-JSON-CODE NOT = 0 OR TXM-JSON-STATUS NOT = 0 DISPLAY \
                 'JSON PARSE on line {line}: JSON-CODE ' TXM-JSON-CODE ', JSON-STATUS ' \
                 TXM-JSON-STATUS END-IF"
            ));
        }
        Ok(())
    }

    /// An item and what is in it.
    fn item(&mut self, id: FieldId, place: Place<'_>, said: &All<'_>) -> Result<(), String> {
        if !self.record.is_eligible(id) {
            return Ok(());
        }
        let field = self.record.layout[id].clone();
        if field.is_filler() {
            return Err("a group without a name".to_owned());
        }
        let of = said.get(&id);
        let name = of.and_then(|said| said.name);
        let table = self.table(id, &field, place, name.is_some_and(Option::is_none))?;
        let number = self.targets;
        self.targets += 1;
        let suppressed = of.is_some_and(|said| said.suppressed);
        let receiver = receiver(&field, suppressed, self.native_binary)?;
        let target = Target {
            name: match name {
                Some(name) => name.clone().unwrap_or_default(),
                None => field.name.clone(),
            },
            exact: matches!(name, Some(Some(_))),
            parent: u32::try_from(place.parent).unwrap_or(u32::MAX),
            suppressed,
            truth: of.is_some_and(|said| said.truths.is_some()),
            ignored: of.is_some_and(|said| said.ignored),
            null: of.is_some_and(|said| said.null.is_some() || said.indicator.is_some()),
            table,
            receiver,
        };
        self.out.step(&Step::Target(target), &[]);
        if suppressed {
            return Ok(());
        }
        let mut subscripts = place.subscripts.to_owned();
        let mut depth = place.depth;
        if table != Table::No {
            depth += 1;
            self.depth = self.depth.max(depth);
            subscripts = format!("{subscripts} TXM-DOC-I{depth:02}")
                .trim()
                .to_owned();
        }
        if table == Table::Depending {
            self.depending(number, &field);
        }
        if self.record.is_elementary(id) {
            return self.elementary(number, id, &subscripts, of);
        }
        self.distinct(&field, said)?;
        for child in field.children {
            let place = Place {
                parent: number,
                subscripts: &subscripts,
                depth,
            };
            self.item(child, place, said)?;
        }
        Ok(())
    }

    /// Whether it is a table here: the receiver is one only where no occurrence is named.
    fn table(
        &self,
        id: FieldId,
        field: &Field,
        place: Place<'_>,
        omitted: bool,
    ) -> Result<Table, String> {
        let outermost = id == self.record.item;
        let given = place.subscripts.split_whitespace().count();
        let named = outermost && given > self.record.tables_around(id);
        let Some(occurs) = field.occurs.as_ref().filter(|_| !named) else {
            let group = !self.record.is_elementary(id);
            return match outermost && omitted && !group {
                true => Err("NAME OMITTED of an item that is neither group nor table".to_owned()),
                false => Ok(Table::No),
            };
        };
        if outermost && !omitted {
            return Err("a table without subscripts and NAME OMITTED".to_owned());
        }
        Ok(match occurs.is_variable() {
            true => Table::Depending,
            false => Table::Fixed(occurs.max),
        })
    }

    /// Names that stand beside each other must differ.
    fn distinct(&self, group: &Field, said: &All<'_>) -> Result<(), String> {
        let mut names = Vec::new();
        for child in &group.children {
            if !self.record.is_eligible(*child) {
                continue;
            }
            let name = match said.get(child).and_then(|said| said.name) {
                Some(name) => name.clone().unwrap_or_default(),
                None => self.record.layout[*child].name.clone(),
            };
            names.push(name.to_ascii_uppercase());
        }
        names.sort_unstable();
        match names.windows(2).find(|w| w[0] == w[1]) {
            Some(same) => Err(format!("{}, which several items may be", same[0])),
            None => Ok(()),
        }
    }

    /// The program says how often a table occurs when its array comes.
    fn depending(&mut self, number: usize, field: &Field) {
        let Some(occurs) = &field.occurs else { return };
        let counter = match (occurs.depends_on, &occurs.depends_on_name) {
            (Some(counter), _) => self.record.qualified(counter),
            (None, Some(name)) => name.clone(),
            (None, None) => occurs.max.to_string(),
        };
        let mut calls = Calls::new(self.out.at);
        calls.write(&format!("MOVE {counter} TO TXM-DOC-COUNT"));
        calls.step(&Step::Occurrences, &["TXM-DOC-COUNT"]);
        self.case(Want::Count(number), calls, None);
    }

    fn elementary(
        &mut self,
        number: usize,
        id: FieldId,
        subscripts: &str,
        said: Option<&Said<'_>>,
    ) -> Result<(), String> {
        let none = Said::default();
        let said = said.unwrap_or(&none);
        let receiver = receiver(&self.record.layout[id], false, self.native_binary)?;
        let indicated = said.indicator;
        let indicated = indicated.map(|one| self.record.indicated(id, one, subscripts));
        let indicated = indicated.transpose()?;
        let subscripts = match subscripts.is_empty() {
            true => String::new(),
            false => format!(" ( {subscripts} )"),
        };
        let names = self.record.qualified(id);
        let item = format!("{names}{subscripts}");
        if let Some(calls) = when_null(self.out.at, &item, said, receiver, indicated.as_ref())? {
            self.case(Want::Null(number), calls, None);
        }
        if let Some(truths) = said.truths {
            for (is, text) in truth(truths, &names, &subscripts) {
                let mut calls = Calls::new(self.out.at);
                calls.write(&text);
                self.case(Want::Truth(number, is), calls, indicated.as_ref());
            }
            return Ok(());
        }
        let calls = self.taken(&item, receiver);
        let text = matches!(receiver, Receiver::Text { .. });
        let want = if text { Want::Text } else { Want::Number };
        self.case(want(number), calls, indicated.as_ref());
        Ok(())
    }

    /// The MOVE of a value.
    fn taken(&mut self, item: &str, receiver: Receiver) -> Calls {
        let mut calls = Calls::new(self.out.at);
        match receiver {
            Receiver::Group => {}
            Receiver::Text { characters, .. } => {
                let characters = usize::try_from(characters).unwrap_or(usize::MAX);
                self.characters = self.characters.max(characters).max(1);
                // Its size is known when all items are.
                calls.step(&Step::TakeText, &["TXM-DOC-TEXT", "TXM-DOC-COUNT"]);
                calls.write(&format!(
                    "IF TXM-DOC-COUNT = 0 MOVE SPACES TO {item} ELSE \
                     MOVE TXM-DOC-TEXT ( 1 : TXM-DOC-COUNT ) TO {item} END-IF"
                ));
            }
            Receiver::Number {
                whole,
                scale,
                native,
                ..
            } => {
                let taken = self.digits(whole, scale, native);
                calls.step(&Step::TakeNumber, &[&taken]);
                calls.write(&format!("MOVE {taken} TO {item}"));
            }
            Receiver::Float { short } => {
                let usage = if short { 1 } else { 2 };
                let taken = format!("TXM-DOC-FLOAT-{usage}");
                self.needs.push(format!("{taken} COMP-{usage} GLOBAL"));
                calls.step(&Step::TakeNumber, &[&taken]);
                calls.write(&format!("MOVE {taken} TO {item}"));
            }
        }
        calls
    }

    /// The item that takes a number for an item of these digits.
    fn digits(&mut self, whole: i32, scale: i32, native: u8) -> String {
        let part = scale.max(0);
        let whole = if native > 0 { DIGITS_MAX - part } else { whole };
        let whole = whole.max(1);
        let (taken, picture) = match part {
            0 => (format!("TXM-DOC-{whole}"), format!("S9({whole})")),
            _ => (
                format!("TXM-DOC-{whole}V{part}"),
                format!("S9({whole})V9({part})"),
            ),
        };
        self.needs.push(format!(
            "{taken} PIC~{picture} SIGN LEADING SEPARATE GLOBAL"
        ));
        taken
    }

    /// What is done, and then what says that the item is not null.
    fn case(&mut self, want: Want, mut calls: Calls, indicated: Option<&Indicated>) {
        if let Some([_, value]) = indicated {
            calls.write(value);
        }
        self.cases.push((want.case(), calls.text));
    }

    /// A MOVE for each value, until there is none.
    fn values(&mut self) {
        let indexes: Vec<String> = (1..=self.depth)
            .map(|n| format!("TXM-DOC-I{n:02}"))
            .collect();
        for index in &indexes {
            self.needs.push(format!("{index} PIC~S9(9) COMP-5 GLOBAL"));
        }
        self.needs
            .push("TXM-DOC-CASE PIC~S9(9) COMP-5 GLOBAL".to_owned());
        let items: Vec<&str> = indexes.iter().map(String::as_str).collect();
        self.out
            .write("PERFORM WITH TEST AFTER UNTIL TXM-DOC-CASE = 0");
        self.out.answered(&Step::NextValue, &items, "TXM-DOC-CASE");
        if !self.cases.is_empty() {
            self.out.write("EVALUATE TXM-DOC-CASE");
            for (case, text) in std::mem::take(&mut self.cases) {
                self.out.write(&format!("WHEN {case}"));
                self.out.text.extend(text);
            }
            self.out.write("END-EVALUATE");
        }
        self.out.write("END-PERFORM");
    }
}

/// What makes an item true, and what makes it false.
fn truth(truths: &Truths, names: &str, subscripts: &str) -> [(bool, String); 2] {
    let set = |condition: &Reference, to: &str| {
        format!("SET {} OF {names}{subscripts} TO {to}", condition.names[0])
    };
    let (yes, no) = match truths {
        Truths::Condition(one) => (set(one, "TRUE"), set(one, "FALSE")),
        Truths::Conditions(yes, no) => (set(yes, "TRUE"), set(no, "TRUE")),
        Truths::Literals(yes, no) => (
            format!("MOVE {yes} TO {names}{subscripts}"),
            format!("MOVE {no} TO {names}{subscripts}"),
        ),
    };
    [(true, yes), (false, no)]
}
