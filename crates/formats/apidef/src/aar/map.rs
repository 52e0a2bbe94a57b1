//! `.map` files: the transforms between an HTTP message and the document of a service.
//!
//! The files are in IBM's general mapping language; the API editor uses a small part of it. Read is
//! that part, plus the transforms its documentation describes: move, assign, remove, rename, task;
//! reorder is our own. A transform nobody here knows is an error, because leaving it out would
//! change what clients get.

use crate::problem::Result;
use crate::xml::{self, Element};
use transom_messages as messages;
use transom_messages::Problem;

/// Most transforms in one map.
pub(crate) const STEPS_MAX: usize = 2000;

/// The transforms of one direction, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mapping {
    /// File, for messages.
    pub file: String,
    /// The transforms; an empty list passes the document through.
    pub steps: Vec<Step>,
}

/// One transform with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub transform: Transform,
    /// Line in the file, 0 when there is none.
    pub line: u32,
    /// Column in the file.
    pub column: u32,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transform {
    /// The value of `from` goes to `to`.
    Move {
        /// Source.
        from: Place,
        /// Target.
        to: Place,
    },
    /// The constant stands at `to`.
    Assign {
        /// Target.
        to: Place,
        /// Constant.
        value: String,
    },
    /// Clients neither send nor see it.
    Remove {
        /// Member.
        at: Place,
    },
    /// The members of a group come in this order; those not named follow.
    Reorder {
        /// Group, or table of groups.
        at: Place,
        /// Names of members, by their service's names.
        names: Vec<String>,
    },
    /// Clients know the member by another name.
    Rename {
        /// Member, by its service's name.
        at: Place,
        /// Name for clients.
        name: String,
    },
}

/// A value of an HTTP message or of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Path parameter.
    Path(String),
    /// Query parameter.
    Query(String),
    /// Header.
    Header(String),
    /// Member of the service's document: names with `/` between, from the root of the document.
    Body(String),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Path(n) => write!(f, "path parameter {n}"),
            Place::Query(n) => write!(f, "query parameter {n}"),
            Place::Header(n) => write!(f, "header {n}"),
            Place::Body(n) => write!(f, "field {n}"),
        }
    }
}

impl Mapping {
    /// Parses a map.
    ///
    /// # Errors
    /// TXMAD0005E malformed XML, TXMAD0021E a transform nobody knows or one without source or
    /// target.
    pub fn parse(file: &str, text: &str) -> Result<Mapping> {
        let root = xml::parse(file, text)?;
        let mut reader = Reader {
            file,
            root: String::new(),
            steps: Vec::new(),
        };
        for declaration in root.all("mappingDeclaration") {
            reader.root = service_root(declaration);
            reader.walk(declaration, &Bases::default())?;
        }
        Ok(Mapping {
            file: file.to_owned(),
            steps: reader.steps,
        })
    }

    /// A problem at a step.
    pub fn problem(&self, message: messages::Message, step: &Step) -> Problem {
        Problem::new(message, &self.file).at(step.line, step.column)
    }
}

/// Name of the member that holds the service's document: the declaration reads or writes
/// `$rootInput/NAME` or `$rootOutput/NAME`, the other side being the HTTP message.
fn service_root(declaration: &Element) -> String {
    ["input", "output"]
        .iter()
        .filter_map(|side| declaration.child(side)?.attr("path"))
        .filter_map(|path| path.strip_prefix('$')?.split_once('/'))
        .map(|(_, rest)| local(rest.split('/').next().unwrap_or(rest)))
        .find(|name| !matches!(*name, "HTTPRequest" | "HTTPResponse" | ""))
        .unwrap_or_default()
        .to_owned()
}

/// Path prefixes given by the enclosing transforms.
#[derive(Default, Clone)]
struct Bases {
    input: String,
    output: String,
}

struct Reader<'a> {
    file: &'a str,
    root: String,
    steps: Vec<Step>,
}

impl Reader<'_> {
    fn walk(&mut self, element: &Element, bases: &Bases) -> Result<()> {
        for child in &element.children {
            if self.steps.len() >= STEPS_MAX {
                return Err(Problem::new(
                    messages::ad::limit_passed(format_args!("more than {STEPS_MAX} transforms")),
                    self.file,
                ));
            }
            let transform = match child.name.as_str() {
                "input" | "output" | "task" | "todo" | "documentation" | "annotation"
                | "description" | "comment" | "namespaces" | "generation" => continue,
                "passthrough" | "updates" | "local" | "nested" | "group" | "override" => {
                    self.walk(child, &self.inner(child, bases))?;
                    continue;
                }
                "move" | "copy" | "convert" | "cast" => {
                    let from = self.place(child, "input", bases)?;
                    let to = self.place(child, "output", bases)?;
                    self.moved(child, from, to)?
                }
                "assign" => Transform::Assign {
                    to: self.either(child, bases)?,
                    value: constant(child),
                },
                "remove" | "delete" | "omit" | "suppress" | "hide" | "exclude" => {
                    Transform::Remove {
                        at: self.either(child, bases)?,
                    }
                }
                "rename" => self.renamed(child, bases)?,
                "reorder" => {
                    let names = child
                        .attr("names")
                        .unwrap_or_default()
                        .split(',')
                        .map(str::trim);
                    let names = names.filter(|n| !n.is_empty()).map(str::to_owned).collect();
                    Transform::Reorder {
                        at: self.either(child, bases)?,
                        names,
                    }
                }
                other => {
                    return Err(
                        child.problem(messages::ad::transform_not_supported(other), self.file)
                    );
                }
            };
            self.steps.push(Step {
                transform,
                line: child.line,
                column: child.column,
            });
        }
        Ok(())
    }

    fn inner(&self, element: &Element, bases: &Bases) -> Bases {
        let base = |side: &str, outer: &str| {
            let path = element
                .child(side)
                .and_then(|e| e.attr("path"))
                .map(clean)
                .unwrap_or_default();
            // The body as a whole is where every path starts anyway.
            let path = if path == "Body" {
                String::new()
            } else {
                path.strip_prefix("Body/").unwrap_or(&path).to_owned()
            };
            join(outer, &path)
        };
        Bases {
            input: base("input", &bases.input),
            output: base("output", &bases.output),
        }
    }

    fn moved(&self, element: &Element, from: Place, to: Place) -> Result<Transform> {
        if !matches!(from, Place::Body(_)) && !matches!(to, Place::Body(_)) {
            return Err(element.problem(
                messages::ad::transform_not_possible(format_args!(
                    "a move from {from} to {to} has no field of the service"
                )),
                self.file,
            ));
        }
        Ok(Transform::Move { from, to })
    }

    fn renamed(&self, element: &Element, bases: &Bases) -> Result<Transform> {
        let named = ["name", "newName", "to", "value"]
            .iter()
            .find_map(|n| element.attr(n));
        let name = match (named, element.child("input"), element.child("output")) {
            (Some(name), _, _) => name.to_owned(),
            (None, Some(_), Some(output)) => {
                let path = clean(output.attr("path").unwrap_or_default());
                path.rsplit('/').next().unwrap_or_default().to_owned()
            }
            _ => String::new(),
        };
        if name.is_empty() {
            return Err(element.problem(
                messages::ad::transform_not_possible("a rename without a new name"),
                self.file,
            ));
        }
        Ok(Transform::Rename {
            at: self.either(element, bases)?,
            name,
        })
    }

    /// The place of a transform with one side, whichever of the two it is written on.
    fn either(&self, element: &Element, bases: &Bases) -> Result<Place> {
        if element.name == "rename" && element.child("input").is_some() {
            return self.place(element, "input", bases);
        }
        let side = if element.child("output").is_some() {
            "output"
        } else {
            "input"
        };
        self.place(element, side, bases)
    }

    fn place(&self, element: &Element, side: &str, bases: &Bases) -> Result<Place> {
        let bad = |why: String| {
            element.problem(
                messages::ad::transform_not_possible(format_args!("{}: {why}", element.name)),
                self.file,
            )
        };
        let end = element
            .child(side)
            .ok_or_else(|| bad(format!("there is no {side}")))?;
        let path = clean(end.attr("path").unwrap_or_default());
        let (first, rest) = path.split_once('/').unwrap_or((path.as_str(), ""));
        let kind = end.attr("httpIn").unwrap_or_default().to_ascii_lowercase();
        let name = |prefix: &str| {
            if first == prefix {
                rest.to_owned()
            } else {
                path.clone()
            }
        };
        let place = match (kind.as_str(), first) {
            ("path", _) | ("", "PathParameters") => Place::Path(name("PathParameters")),
            ("query", _) | ("", "QueryParameters") => Place::Query(name("QueryParameters")),
            ("header", _) | ("", "Headers") => Place::Header(name("Headers")),
            ("body", _) | ("", _) => Place::Body(self.body(
                &path,
                if side == "input" {
                    &bases.input
                } else {
                    &bases.output
                },
            )),
            (other, _) => return Err(bad(format!("httpIn=\"{other}\" is not known"))),
        };
        match &place {
            Place::Path(n) | Place::Query(n) | Place::Header(n)
                if n.is_empty() || n.contains('/') =>
            {
                Err(bad(format!(
                    "the {side} path \"{path}\" names no parameter"
                )))
            }
            Place::Body(n) if n.is_empty() => Err(bad(format!("the {side} has no path"))),
            Place::Body(n) if n.contains(['[', '(', '@', '$']) => {
                Err(bad(format!("the path {n} is an expression")))
            }
            _ => Ok(place),
        }
    }

    /// A body path from the root of the service's document.
    fn body(&self, path: &str, base: &str) -> String {
        let from_body = path.strip_prefix("Body/");
        let path = from_body.unwrap_or(path);
        let under_root = |p: &str| {
            p == self.root
                || p.strip_prefix(self.root.as_str())
                    .is_some_and(|r| r.starts_with('/'))
        };
        if from_body.is_some() || self.root.is_empty() || under_root(path) {
            return path.to_owned();
        }
        let path = join(base, path);
        if under_root(&path) {
            path
        } else {
            join(&self.root, &path)
        }
    }
}

fn join(base: &str, path: &str) -> String {
    match (base.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => base.to_owned(),
        _ => format!("{base}/{path}"),
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// Without variables, prefixes, `.` steps and doubled `/`.
fn clean(path: &str) -> String {
    let parts: Vec<&str> = path
        .split('/')
        .filter(|p| !p.is_empty() && *p != "." && !p.starts_with('$'))
        .map(local)
        .collect();
    parts.join("/")
}

fn constant(element: &Element) -> String {
    let attr = ["value", "literal", "constant", "text"]
        .iter()
        .find_map(|n| element.attr(n));
    match attr.or_else(|| element.child_text("value")) {
        Some(text) => text.to_owned(),
        None => element.text.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(updates: &str) -> String {
        format!(
            "<mappingRoot><mappingDeclaration name='GET.x'><input path='$rootInput/HTTPRequest'/><output path='$rootOutput/Root'/>\n\
             <passthrough><input path='Body/Root'/><output path='.'/><updates>{updates}</updates></passthrough>\
             </mappingDeclaration></mappingRoot>"
        )
    }

    fn transforms(updates: &str) -> Vec<Transform> {
        Mapping::parse("r.map", &map(updates))
            .unwrap()
            .steps
            .into_iter()
            .map(|s| s.transform)
            .collect()
    }

    #[test]
    fn reads_each_transform() {
        let body = |p: &str| Place::Body(p.into());
        let all = transforms(
            "<move><input httpIn='query' path='QueryParameters/q'/><output httpIn='body' path='Key/Number'/></move>\
             <move><input path='Headers/X-Id'/><output path='Id'/></move>\
             <assign value='GOLD'><output httpIn='body' path='Type'/></assign>\
             <remove><output path='Root/Secret'/></remove>\
             <rename name='short'><output path='LongName'/></rename>\
             <task><documentation>hello</documentation></task>",
        );
        assert_eq!(
            all,
            [
                Transform::Move {
                    from: Place::Query("q".into()),
                    to: body("Root/Key/Number")
                },
                Transform::Move {
                    from: Place::Header("X-Id".into()),
                    to: body("Root/Id")
                },
                Transform::Assign {
                    to: body("Root/Type"),
                    value: "GOLD".into()
                },
                Transform::Remove {
                    at: body("Root/Secret")
                },
                Transform::Rename {
                    at: body("Root/LongName"),
                    name: "short".into()
                },
            ]
        );
    }

    #[test]
    fn an_unknown_transform_names_file_and_place() {
        let error = Mapping::parse("a.aar!request.map", &map("<xpath10 code='1+1'/>")).unwrap_err();
        assert_eq!(error.id(), "TXMAD0021E");
        assert!(
            error
                .id_first()
                .to_string()
                .contains("a.aar!request.map:2:"),
            "{error:?}"
        );
        assert!(error.words().contains("xpath10"));
        let error =
            Mapping::parse("r", &map("<move><input path='Headers/A'/></move>")).unwrap_err();
        assert!(error.words().contains("no output"), "{error:?}");
    }
}
