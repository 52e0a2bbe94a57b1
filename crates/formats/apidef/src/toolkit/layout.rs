//! A copybook as a container of an interface: which items take part, under which names, with which
//! defaults.

use crate::problem::Result;
use crate::sar::Container;
use crate::yaml::Keys;
use serde_json::Value;
use transom_copybook::layout::{FieldId, FieldKind};
use transom_copybook::naming::names;
use transom_copybook::shape::Literal;
use transom_copybook::{Layout, NameStyle, ParseOptions, Profile, parse};
use transom_messages as messages;
use transom_messages::Problem;
use transom_types::nearest;

/// Keys of the YAML that describe one copybook.
pub(super) const KEYS: &[&str] = &[
    "copybook",
    "record",
    "names",
    "include",
    "exclude",
    "rename",
    "default",
    "redefines",
];

/// Reads the copybook a mapping names and makes the items of a container of it.
pub(super) fn container(
    keys: &Keys<'_>,
    name: &str,
    profile: Profile,
    copybook: &dyn Fn(&str) -> Option<String>,
) -> Result<Container> {
    let member = keys.need("copybook")?;
    let text = copybook(&member)
        .ok_or_else(|| keys.bad("copybook", &format!("\"{member}\" is not found")))?;
    let told = |p: &Problem| {
        Problem::new(messages::ad::copybook(&p.message), p.place.clone()).in_file(&member)
    };
    let (parsed, problems) = parse(&text, &ParseOptions::default());
    if let Some(problem) = problems.iter().find(|p| p.is_error()) {
        return Err(told(problem));
    }
    let layout = Layout::new(&parsed, profile).map_err(|p| told(&p))?;
    let style = match keys.text("names")?.as_deref() {
        None | Some("toolkit") => NameStyle::Toolkit,
        Some("camel") => NameStyle::CamelCase,
        Some("ls2js") => NameStyle::Ls2js,
        Some(other) => {
            return Err(keys.bad(
                "names",
                &format!("is \"{other}\"; it must be toolkit, camel or ls2js"),
            ));
        }
    };
    let mut choice = Choice::new(keys, &member, &layout, style)?;
    choice.apply(keys)?;
    let fields = choice.top(keys, &member)?;
    Ok(Container {
        name: name.to_owned(),
        json_name: name.to_owned(),
        character: false,
        required: true,
        bytes: None,
        fields,
        line: 0,
    })
}

/// What becomes of each field.
pub(super) struct Choice<'a> {
    pub(super) file: &'a str,
    pub(super) member: &'a str,
    pub(super) layout: &'a Layout,
    pub(super) names: Vec<String>,
    pub(super) included: Vec<bool>,
    pub(super) defaults: Vec<Option<Literal>>,
}

impl<'a> Choice<'a> {
    fn new(
        keys: &Keys<'a>,
        member: &'a str,
        layout: &'a Layout,
        style: NameStyle,
    ) -> Result<Choice<'a>> {
        let mut names = names(layout, style);
        for (i, (name, field)) in names.iter_mut().zip(&layout.fields).enumerate() {
            if name.is_empty() || field.is_filler() {
                *name = format!("FILLER_{}", i + 1);
            }
        }
        let included = layout
            .fields
            .iter()
            .map(|f| !f.is_filler() && !matches!(f.kind, FieldKind::Pointer | FieldKind::Index))
            .collect();
        let mut choice = Choice {
            file: keys.file,
            member,
            layout,
            names,
            included,
            defaults: vec![None; layout.fields.len()],
        };
        for id in layout.ids() {
            let field = &layout[id];
            // Of items that share storage the first is used; counters follow from the tables they
            // count.
            if field.redefines.is_some() || is_counter(layout, id) {
                choice.exclude(id);
            }
        }
        Ok(choice)
    }

    fn apply(&mut self, keys: &Keys<'_>) -> Result<()> {
        for (base, arm) in keys.pairs("redefines")? {
            let (base, arm) = (
                self.find(keys, "redefines", &base)?,
                self.find(keys, "redefines", &arm)?,
            );
            let of_base = self.layout[arm]
                .redefines
                .is_some_and(|r| self.layout.fields[r.0 as usize] == self.layout[base]);
            if !of_base && arm != base {
                let (a, b) = (&self.layout[arm].name, &self.layout[base].name);
                return Err(keys.bad("redefines", &format!("{a} does not redefine {b}")));
            }
            let mut all = vec![base];
            all.extend(&self.layout[base].redefined_by);
            for id in all {
                if id == arm {
                    self.include(id)
                } else {
                    self.exclude(id)
                }
            }
        }
        let only = keys.texts("include")?;
        if !only.is_empty() {
            let named = only
                .iter()
                .map(|n| self.find(keys, "include", n))
                .collect::<Result<Vec<_>>>()?;
            self.included.fill(false);
            for id in named {
                self.include(id);
            }
        }
        for name in keys.texts("exclude")? {
            let id = self.find(keys, "exclude", &name)?;
            self.exclude(id);
        }
        for (name, value) in keys.pairs("default")? {
            let id = self.find(keys, "default", &name)?;
            self.defaults[id.0 as usize] = Some(literal(&value).ok_or_else(|| {
                keys.bad("default", &format!("of {name} is no hexadecimal text"))
            })?);
        }
        for (name, new) in keys.pairs("rename")? {
            let id = self.find(keys, "rename", &name)?;
            if new.is_empty() || new.contains(['/', '.']) || new.chars().any(char::is_control) {
                return Err(keys.bad(
                    "rename",
                    &format!("of {name} to \"{new}\" is no member name"),
                ));
            }
            self.names[id.0 as usize] = new;
        }
        self.unique()
    }

    fn unique(&self) -> Result<()> {
        for parent in self.layout.ids() {
            let children = &self.layout[parent].children;
            for (i, child) in children.iter().enumerate() {
                let name = &self.names[child.0 as usize];
                if children[..i]
                    .iter()
                    .any(|c| self.names[c.0 as usize] == *name)
                {
                    return Err(Problem::new(
                        messages::ad::members_named_alike(self.layout.path(*child), name),
                        self.file,
                    ));
                }
            }
        }
        Ok(())
    }

    /// The item with this COBOL name; groups before it, with `/`, `.` or `-OF-` written as `/`,
    /// tell items of the same name apart.
    pub(super) fn find(&self, keys: &Keys<'_>, key: &str, text: &str) -> Result<FieldId> {
        let same = |a: &str, b: &str| {
            a.replace('-', "_")
                .eq_ignore_ascii_case(&b.replace('-', "_"))
        };
        let wanted: Vec<&str> = text
            .split(['/', '.'])
            .map(str::trim)
            .filter(|s| !s.is_empty())
            .collect();
        let fits = |id: &FieldId| {
            let mut at = Some(*id);
            wanted.iter().rev().enumerate().all(|(i, name)| {
                while let Some(here) = at {
                    let field = &self.layout[here];
                    at = field.parent;
                    if same(&field.name, name) {
                        return true;
                    }
                    if i == 0 {
                        return false;
                    }
                }
                false
            })
        };
        let found: Vec<FieldId> = self
            .layout
            .ids()
            .filter(|id| !wanted.is_empty() && fits(id))
            .collect();
        match found.as_slice() {
            [one] => Ok(*one),
            [] => {
                let all = self.layout.fields.iter().map(|f| f.name.as_str());
                let hint = nearest(text, all)
                    .map(|n| format!("; did you mean {n}?"))
                    .unwrap_or_default();
                Err(keys.bad(
                    key,
                    &format!("names {text}, which {} does not have{hint}", self.member),
                ))
            }
            [first, second, ..] => Err(keys.bad(
                key,
                &format!(
                    "names {text}, which may be {} or {}",
                    self.layout.path(*first),
                    self.layout.path(*second)
                ),
            )),
        }
    }

    /// With all it contains and all that contains it.
    fn include(&mut self, id: FieldId) {
        self.set(id, true);
        let mut at = self.layout[id].parent;
        while let Some(parent) = at {
            self.included[parent.0 as usize] = true;
            at = self.layout[parent].parent;
        }
    }

    fn exclude(&mut self, id: FieldId) {
        self.set(id, false);
    }

    fn set(&mut self, id: FieldId, included: bool) {
        let field = &self.layout[id];
        let possible =
            !field.is_filler() && !matches!(field.kind, FieldKind::Pointer | FieldKind::Index);
        self.included[id.0 as usize] = included && possible;
        for child in field.children.clone() {
            // Within an arm that is switched on the usual choice holds again.
            let usual = !included
                || (self.layout[child].redefines.is_none() && !is_counter(self.layout, child));
            self.set(child, included && usual);
        }
    }
}

fn is_counter(layout: &Layout, id: FieldId) -> bool {
    layout
        .fields
        .iter()
        .any(|f| f.occurs.as_ref().is_some_and(|o| o.depends_on == Some(id)))
}

/// `X'C1C2'` is bytes, everything else text.
fn literal(value: &str) -> Option<Literal> {
    let Some(hex) = value.strip_prefix("X'").and_then(|v| v.strip_suffix('\'')) else {
        return Some(Literal::Text(value.to_owned()));
    };
    if hex.len() % 2 != 0 || !hex.is_ascii() {
        return None;
    }
    (0..hex.len() / 2)
        .map(|i| u8::from_str_radix(&hex[i * 2..i * 2 + 2], 16).ok())
        .collect::<Option<Vec<u8>>>()
        .map(Literal::Bytes)
}

/// Whether a mapping has a list of containers.
pub(super) fn is_channel(value: &Value) -> bool {
    value.get("containers").is_some()
}
