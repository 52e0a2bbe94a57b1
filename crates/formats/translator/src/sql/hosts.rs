//! Host variables of a statement as items of its CALL.
//!
//! What: a structure becomes its items, an array its first element, each with its indicator; the
//! text that is sent gets a marker for each. Not here: which items a program has (`items`).

use super::items::Wrong;
use super::made::Made;
use super::statement::Ask;
use super::{Planner, Read};
use transom_commands::sql::{Role, Verb};
use transom_messages as messages;
use transom_sql::HostVariable;

/// What is wrong with an item: its name, and why.
type Problem = (String, Wrong);

impl Planner<'_> {
    /// Items of the host variables; their text where it is sent.
    pub(super) fn hosts(&mut self, read: &Read, ask: &Ask, made: &mut Made) -> Option<()> {
        let mut text = String::new();
        let mut copied = 0;
        let mut good = true;
        for (n, host) in read.statement.hosts.iter().enumerate() {
            text.push_str(read.text.text.get(copied..host.at.offset)?);
            copied = host.end;
            match self.host(n, host, ask, made) {
                Ok(markers) => text.push_str(&vec![":H"; markers].join(", ")),
                Err((name, why)) => {
                    let place = read.text.place(host.at.offset, read.place);
                    let message = messages::sq::not_an_item(name, why);
                    self.session.problem(message, place);
                    good = false;
                }
            }
        }
        text.push_str(read.text.text.get(copied..)?);
        if ask.sends_text {
            made.text = text;
        }
        good.then_some(())
    }

    /// Adds the items of one host variable; answers for how many values it stands.
    fn host(
        &self,
        n: usize,
        host: &HostVariable,
        ask: &Ask,
        made: &mut Made,
    ) -> Result<usize, Problem> {
        let wrong = |why| (host.name.clone(), why);
        let qualifier = host.qualifier.as_deref();
        if ask.is_descriptor(n) {
            let area = self.items.area(&host.name, qualifier).map_err(wrong)?;
            made.item(Role::Descriptor, area);
        }
        if ask.is_count(n) {
            match self
                .items
                .variable(&host.name, qualifier)
                .map_err(wrong)?
                .as_slice()
            {
                [super::items::Shape::Plain(name)] => made.item(Role::Count, name.clone()),
                _ => return Err(wrong("a number of rows is one number")),
            }
            return Ok(1);
        }
        let Some(output) = ask.direction(n, host.role) else {
            return Ok(0);
        };
        if ask.has_arrays() && !ask.is_control(n) {
            if self.array(host, output, made)? {
                return Ok(1);
            }
            if ask.verb == Verb::FetchRows {
                return Err(wrong("several rows go into host-variable arrays"));
            }
        }
        let shapes = self.items.variable(&host.name, qualifier).map_err(wrong)?;
        let count = shapes.len();
        for (k, shape) in shapes.into_iter().enumerate() {
            made.add(shape, 0, output);
            let Some(indicator) = &host.indicator else {
                continue;
            };
            let of = indicator.qualifier.as_deref();
            let name = self.items.indicator(&indicator.name, of, k, count);
            let name = name.map_err(|why| (indicator.name.clone(), why))?;
            made.item(Role::Indicator, name);
        }
        Ok(count)
    }

    /// Adds a host-variable array with its indicators; `false`: it is none.
    fn array(&self, host: &HostVariable, output: bool, made: &mut Made) -> Result<bool, Problem> {
        let found = self.items.array(&host.name, host.qualifier.as_deref());
        let found = found.map_err(|why| (host.name.clone(), why))?;
        let Some((shape, elements)) = found else {
            return Ok(false);
        };
        made.add(shape, elements, output);
        if let Some(indicator) = &host.indicator {
            let of = indicator.qualifier.as_deref();
            let found = self.items.indicators(&indicator.name, of);
            let (name, elements) = found.map_err(|why| (indicator.name.clone(), why))?;
            made.array(Role::Indicator, name, elements);
        }
        Ok(true)
    }
}
