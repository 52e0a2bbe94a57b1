//! A statement as COBOL the compiler knows: a step for each item.
//!
//! Not here: phrases (`statement`), names (`record`).

use super::calls::Calls;
use super::encodings::characters;
use super::reader::Figures;
use super::record::Record;
use super::statement::{Indicator, Statement, Suppress, Truth};
use crate::declared::Declared;
use std::collections::HashMap;
use transom_copybook::{Field, FieldId, FieldKind};
use transom_documents::{Characters, Step};

/// What is written for one statement.
pub(super) struct Emitter<'a> {
    pub(super) record: &'a Record,
    pub(super) statement: &'a Statement,
    pub(super) declared: &'a Declared,
    /// TRUNC(BIN): COMP holds what its bytes can.
    pub(super) native_binary: bool,
    /// Each character of a national item is one of the document's.
    pub(super) takes_national: bool,
    pub(super) out: Calls,
    /// Items that the program needs for it.
    pub(super) needs: Vec<String>,
}

/// What the phrases say of one item.
#[derive(Default)]
pub(super) struct Said<'a> {
    pub(super) name: Option<&'a Option<String>>,
    pub(super) left_out: bool,
    pub(super) when: Option<&'a Figures>,
    pub(super) truth: Option<&'a Truth>,
    /// The figurative constant that stands for null.
    pub(super) null: Option<&'static str>,
    pub(super) indicator: Option<&'a Indicator>,
    pub(super) attribute: Option<bool>,
}

impl<'a> Emitter<'a> {
    /// All of it. The error says what is not supported.
    pub(super) fn all(&mut self) -> Result<(), String> {
        let statement = self.statement;
        let receiver = &statement.receiver;
        let national = self.declared.national.contains_key(&receiver.names[0]);
        let said = self.said()?;
        match statement.json {
            true => self.json(national)?,
            false if national => return Err("a national receiver".to_owned()),
            false => {
                let (utf8, declaration) = (statement.utf8, statement.declaration);
                self.step(&Step::Xml { utf8, declaration }, &[]);
            }
        }
        for (step, item) in [
            (Step::Namespace, &statement.namespace),
            (Step::Prefix, &statement.prefix),
        ] {
            match item {
                Some(literal) if literal.ends_with(['\'', '"']) => {
                    let literal = format!("BY CONTENT {literal}");
                    self.out.call(&step, &[&literal], "TXM-DOC-CODE");
                }
                Some(item) => self.step(&step, &[item]),
                None => {}
            }
        }
        let item = self.record.item;
        if !self.record.is_eligible(item) {
            return Err("an item that holds none with a name".to_owned());
        }
        let subscripts = statement.source.subscripts.clone();
        self.one(item, &subscripts, 0, &said)?;
        self.step(&Step::End, &[&receiver.written, "TXM-DOC-COUNT"]);
        let code = if statement.json {
            "TXM-JSON-CODE"
        } else {
            "TXM-XML-CODE"
        };
        self.write(&format!("MOVE TXM-DOC-CODE TO {code}"));
        if let Some(count) = &statement.count {
            self.write(&format!("MOVE TXM-DOC-COUNT TO {}", count.written));
        }
        Ok(())
    }

    /// The first step of JSON GENERATE.
    fn json(&mut self, national: bool) -> Result<(), String> {
        let encoding = &self.statement.encoding;
        let mut items = Vec::new();
        let absent = Characters::Utf8;
        let characters = characters(encoding, national, absent, &mut self.out, &mut items)?;
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        self.step(&Step::Json(characters), &items);
        self.takes_national = matches!(characters, Characters::Utf8 | Characters::National);
        Ok(())
    }

    fn said(&self) -> Result<HashMap<FieldId, Said<'a>>, String> {
        let statement = self.statement;
        let mut all: HashMap<FieldId, Said<'a>> = HashMap::new();
        for (item, name) in &statement.names {
            let id = self.record.inside(item)?;
            if name.is_none() && (id != self.record.item || self.record.is_elementary(id)) {
                return Err("NAME OMITTED of an item that is not the group itself".to_owned());
            }
            all.entry(id).or_default().name = Some(name);
        }
        for one in &statement.suppress {
            if let Suppress::Item(item, when) = one {
                let id = self.record.inside(item)?;
                let said = all.entry(id).or_default();
                said.left_out |= when.is_none();
                said.when = when.as_ref().or(said.when);
            }
        }
        for (item, truth) in &statement.truths {
            let id = self.record.inside(item)?;
            all.entry(id).or_default().truth = Some(truth);
        }
        for (item, figure) in &statement.nulls {
            let id = self.record.alone(item, "CONVERTING")?;
            all.entry(id).or_default().null = Some(figure);
        }
        for (item, indicator) in &statement.indicators {
            let id = self.record.alone(item, "INDICATING")?;
            all.entry(id).or_default().indicator = Some(indicator);
            // It says something of another item, and is nothing of the document.
            if let Some(own) = self.record.variable(indicator.name())? {
                all.entry(own).or_default().left_out = true;
            }
        }
        for (item, attribute) in &statement.types {
            let id = self.record.inside(item)?;
            all.entry(id).or_default().attribute = Some(*attribute);
        }
        Ok(all)
    }

    fn field(&self, id: FieldId) -> &Field {
        &self.record.layout[id]
    }

    /// Something of it is left when SUPPRESS has taken what it always takes.
    fn stays(&self, id: FieldId, said: &HashMap<FieldId, Said<'_>>) -> bool {
        if said.get(&id).is_some_and(|said| said.left_out) || !self.record.is_eligible(id) {
            return false;
        }
        let children = &self.field(id).children;
        self.record.is_elementary(id) || children.iter().any(|child| self.stays(*child, said))
    }

    /// An item with all its occurrences; the subscripts are those of the tables around it.
    fn one(
        &mut self,
        id: FieldId,
        subscripts: &str,
        depth: usize,
        said: &HashMap<FieldId, Said<'_>>,
    ) -> Result<(), String> {
        let outermost = id == self.record.item;
        if !outermost && !self.stays(id, said) {
            return Ok(());
        }
        let field = self.record.layout[id].clone();
        if field.is_filler() {
            return Err("a group without a name".to_owned());
        }
        // The program has said which occurrence of a table it means.
        let Some(occurs) = field.occurs.filter(|_| !outermost) else {
            return self.occurrence(id, subscripts, depth, said);
        };
        let index = format!("TXM-DOC-I{:02}", depth + 1);
        self.needs.push(format!("{index} PIC~S9(9) COMP-5 GLOBAL"));
        let last = match (occurs.depends_on, occurs.depends_on_name) {
            (Some(counter), _) => self.record.qualified(counter),
            (None, Some(name)) => name,
            (None, None) => occurs.max.to_string(),
        };
        let name = self.name(id, said);
        self.step(&Step::Table(name), &[]);
        self.write(&format!(
            "PERFORM VARYING {index} FROM 1 BY 1 UNTIL {index} > {last}"
        ));
        let subscripts = format!("{subscripts} {index}");
        self.occurrence(id, subscripts.trim(), depth + 1, said)?;
        self.write("END-PERFORM");
        self.step(&Step::EndTable, &[]);
        Ok(())
    }

    fn occurrence(
        &mut self,
        id: FieldId,
        subscripts: &str,
        depth: usize,
        said: &HashMap<FieldId, Said<'_>>,
    ) -> Result<(), String> {
        if self.record.is_elementary(id) {
            return self.elementary(id, subscripts, said);
        }
        self.step(&Step::Open(self.name(id, said)), &[]);
        for child in self.record.layout[id].children.clone() {
            self.one(child, subscripts, depth, said)?;
        }
        self.step(&Step::Close, &[]);
        Ok(())
    }

    fn elementary(
        &mut self,
        id: FieldId,
        subscripts: &str,
        said: &HashMap<FieldId, Said<'_>>,
    ) -> Result<(), String> {
        let field = self.record.layout[id].clone();
        let subscripts = match subscripts.is_empty() {
            true => String::new(),
            false => format!(" ( {subscripts} )"),
        };
        let item = format!("{}{subscripts}", self.record.qualified(id));
        let of = said.get(&id);
        let inside = id != self.record.item;
        let may = inside && field.occurs.is_none();
        let attribute = of.and_then(|said| said.attribute);
        let attribute = may && attribute.unwrap_or(self.statement.attributes);
        let when = self.suppressed_when(&field, &item, attribute, of);
        if !when.is_empty() && inside {
            self.write(&format!("IF {}", when.join(" OR ")));
            self.step(&Step::Skip, &[]);
            self.write("ELSE");
        }
        let name = self.name(id, said);
        let null = self.null_when(id, &item, &subscripts, of)?;
        if let Some(null) = &null {
            if !when.is_empty() {
                return Err(format!("SUPPRESS and null of {}", field.name));
            }
            self.write(&format!("IF {null}"));
            self.step(&Step::Null(name.clone()), &[]);
            self.write("ELSE");
        }
        match of.and_then(|said| said.truth) {
            Some(truth) => self.truth(name, &item, &subscripts, truth),
            None => self.value(&field, name, &item, attribute)?,
        }
        if null.is_some() {
            self.write("END-IF");
        }
        if !when.is_empty() && inside {
            self.write("END-IF");
        }
        Ok(())
    }

    fn truth(&mut self, name: String, item: &str, subscripts: &str, truth: &Truth) {
        let condition = match truth {
            Truth::Literal(literal) => format!("{item} = {literal}"),
            Truth::Condition(condition) => {
                let groups = item.strip_suffix(subscripts).unwrap_or(item);
                format!("{} OF {groups}{subscripts}", condition.names[0])
            }
        };
        self.write(&format!("IF {condition}"));
        let said = |value| Step::Truth {
            name: name.clone(),
            value,
        };
        self.step(&said(true), &[]);
        self.write("ELSE");
        self.step(&said(false), &[]);
        self.write("END-IF");
    }

    fn value(
        &mut self,
        field: &Field,
        name: String,
        item: &str,
        attribute: bool,
    ) -> Result<(), String> {
        let step = Step::Item { name, attribute };
        let (digits, scale, native) = match field.kind {
            FieldKind::Group | FieldKind::NumericEdited { .. } => (0, 0, false),
            FieldKind::Alphanumeric { .. } | FieldKind::AlphanumericEdited { .. } => (0, 0, false),
            FieldKind::Float4 | FieldKind::Float8 => (0, 0, false),
            FieldKind::Zoned { digits, scale, .. } | FieldKind::Packed { digits, scale, .. } => {
                (digits, scale, false)
            }
            FieldKind::Binary {
                digits,
                scale,
                native,
                ..
            } => (digits, scale, native || self.native_binary),
            FieldKind::National { .. } if self.takes_national => (0, 0, false),
            FieldKind::National { .. } | FieldKind::NationalEdited { .. } => {
                return Err(format!("the national item {}", field.name));
            }
            FieldKind::Dbcs { .. } => return Err(format!("the DBCS item {}", field.name)),
            FieldKind::Pointer => return Err(format!("the pointer {}", field.name)),
            FieldKind::Index => return Err(format!("the index {}", field.name)),
        };
        if digits == 0 {
            self.step(&step, &[item]);
            return Ok(());
        }
        let (digits, scale) = (i32::from(digits), i32::from(scale));
        let most = match digits {
            _ if !native => digits,
            ..=4 => 5,
            5..=9 => 10,
            _ => 20,
        };
        let (whole, part) = ((most - scale).max(1), scale.max(0));
        let (receiver, picture) = match part {
            0 => (format!("TXM-DOC-{whole}"), format!("S9({whole})")),
            _ => (
                format!("TXM-DOC-{whole}V{part}"),
                format!("S9({whole})V9({part})"),
            ),
        };
        self.needs.push(format!(
            "{receiver} PIC~{picture} SIGN LEADING SEPARATE GLOBAL"
        ));
        self.write(&format!("MOVE {item} TO {receiver}"));
        self.step(&step, &[&receiver]);
        Ok(())
    }

    fn name(&self, id: FieldId, said: &HashMap<FieldId, Said<'_>>) -> String {
        match said.get(&id).and_then(|said| said.name) {
            Some(name) => name.clone().unwrap_or_default(),
            None => self.field(id).name.clone(),
        }
    }

    fn step(&mut self, step: &Step, items: &[&str]) {
        self.out.step(step, items);
    }

    fn write(&mut self, text: &str) {
        self.out.write(text);
    }
}
