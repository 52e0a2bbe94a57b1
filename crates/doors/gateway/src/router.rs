//! Method and path to whatever serves them.
//!
//! A tree of path segments, built when something is deployed and never changed afterwards. A
//! literal segment wins over a `{parameter}`, whatever was deployed first; if the literal branch
//! leads nowhere the parameter branch is tried. Segments are split before percent-decoding, so
//! `%2F` stays inside its segment. One trailing slash is ignored, as servlet containers do.

use hyper::Method;
use std::borrow::Cow;
use std::fmt;

/// Most segments of a request path; longer paths have no route.
pub(crate) const PATH_SEGMENTS_MAX: usize = 64;

/// Routes of everything deployed.
#[derive(Debug)]
pub(crate) struct Router<T> {
    nodes: Vec<Node<T>>,
}

#[derive(Debug)]
struct Node<T> {
    literals: Vec<(Box<str>, usize)>,
    parameter: Option<usize>,
    methods: Vec<(Method, T)>,
}

impl<T> Default for Node<T> {
    fn default() -> Self {
        Self {
            literals: Vec::new(),
            parameter: None,
            methods: Vec::new(),
        }
    }
}

/// The values of a template's parameters, in the order they stand in the path, still
/// percent-encoded.
#[derive(Debug, Default)]
pub struct PathValues<'p> {
    values: Vec<&'p str>,
}

impl<'p> PathValues<'p> {
    /// The raw value of the n-th parameter.
    pub fn raw(&self, index: usize) -> Option<&'p str> {
        self.values.get(index).copied()
    }

    /// The decoded value of the n-th parameter; `Err` when the escapes are not valid UTF-8.
    pub fn decoded(&self, index: usize) -> Option<Result<Cow<'p, str>, BadEscape>> {
        self.raw(index).map(percent_decode)
    }
}

/// A path or query with escapes that are no UTF-8 text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadEscape;

/// Why there is no route.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoRoute {
    /// Nothing is deployed under this path.
    Path,
    /// The path exists with these methods only, ready for an `Allow` header.
    Method(String),
}

impl<T> Default for Router<T> {
    fn default() -> Self {
        Self {
            nodes: vec![Node::default()],
        }
    }
}

/// Another route answers this method and path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RouteTaken {
    method: Method,
    template: String,
}

impl fmt::Display for RouteTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} is deployed already", self.method, self.template)
    }
}

impl<T> Router<T> {
    /// Adds a route. `template` is an absolute path such as `/a/{b}/c`.
    ///
    /// # Errors
    /// The template with other parameter names or the same one is taken already for this method.
    pub(crate) fn add(
        &mut self,
        method: Method,
        template: &str,
        target: T,
    ) -> Result<(), RouteTaken> {
        let mut at = 0;
        for segment in segments(template) {
            at = if is_parameter(segment) {
                match self.nodes[at].parameter {
                    Some(next) => next,
                    None => {
                        let next = self.push();
                        self.nodes[at].parameter = Some(next);
                        next
                    }
                }
            } else {
                // Templates may be written with escapes; requests are compared decoded.
                let literal = percent_decode(segment).unwrap_or(Cow::Borrowed(segment));
                match self.literal(at, &literal) {
                    Some(next) => next,
                    None => {
                        let next = self.push();
                        self.nodes[at].literals.push((literal.into(), next));
                        next
                    }
                }
            };
        }
        let methods = &mut self.nodes[at].methods;
        if methods.iter().any(|(m, _)| *m == method) {
            return Err(RouteTaken {
                method,
                template: template.to_owned(),
            });
        }
        methods.push((method, target));
        Ok(())
    }

    /// Finds the target. `HEAD` falls back to `GET`.
    pub(crate) fn find<'r, 'p>(
        &'r self,
        method: &Method,
        path: &'p str,
    ) -> Result<(&'r T, PathValues<'p>), NoRoute> {
        let mut values = PathValues::default();
        let mut other = None;
        let all: Segments<'p> = Segments::of(path).ok_or(NoRoute::Path)?;
        match self.walk(0, all.as_slice(), method, &mut values, &mut other) {
            Some(target) => Ok((target, values)),
            None => match other {
                Some(node) => Err(NoRoute::Method(self.allow(node))),
                None => Err(NoRoute::Path),
            },
        }
    }

    fn walk<'p>(
        &self,
        at: usize,
        rest: &[&'p str],
        method: &Method,
        values: &mut PathValues<'p>,
        other: &mut Option<usize>,
    ) -> Option<&T> {
        let node = &self.nodes[at];
        let Some((segment, rest)) = rest.split_first() else {
            let found = pick(&node.methods, method);
            if found.is_none() && !node.methods.is_empty() && other.is_none() {
                *other = Some(at);
            }
            return found;
        };
        if let Some(next) = self.literal_raw(at, segment)
            && let Some(target) = self.walk(next, rest, method, values, other)
        {
            return Some(target);
        }
        let next = node.parameter.filter(|_| !segment.is_empty())?;
        values.values.push(segment);
        let found = self.walk(next, rest, method, values, other);
        if found.is_none() {
            values.values.pop();
        }
        found
    }

    fn literal_raw(&self, at: usize, segment: &str) -> Option<usize> {
        if segment.contains('%') {
            return self.literal(at, &percent_decode(segment).ok()?);
        }
        self.literal(at, segment)
    }

    fn literal(&self, at: usize, segment: &str) -> Option<usize> {
        let literals = &self.nodes[at].literals;
        literals
            .iter()
            .find(|(text, _)| **text == *segment)
            .map(|(_, next)| *next)
    }

    fn push(&mut self) -> usize {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    fn allow(&self, node: usize) -> String {
        let methods = &self.nodes[node].methods;
        let mut names: Vec<&str> = methods.iter().map(|(m, _)| m.as_str()).collect();
        if names.contains(&"GET") && !names.contains(&"HEAD") {
            names.push("HEAD");
        }
        names.push("OPTIONS");
        names.sort_unstable();
        names.dedup();
        names.join(", ")
    }
}

/// The names of a template's parameters, in order: `/a/{b}/{c}` gives `b`, `c`.
pub fn parameter_names(template: &str) -> impl Iterator<Item = &str> {
    segments(template)
        .filter(|s| is_parameter(s))
        .map(|s| &s[1..s.len() - 1])
}

/// Decodes `%xx`. `+` stays: it means a blank only in query strings.
pub fn percent_decode(text: &str) -> Result<Cow<'_, str>, BadEscape> {
    if !text.contains('%') {
        return Ok(Cow::Borrowed(text));
    }
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        if b != b'%' {
            out.push(b);
            continue;
        }
        let mut digit = || bytes.next().and_then(|b| (b as char).to_digit(16));
        match (digit(), digit()) {
            (Some(high), Some(low)) => out.push((high * 16 + low) as u8),
            _ => return Err(BadEscape),
        }
    }
    String::from_utf8(out)
        .map(Cow::Owned)
        .map_err(|_| BadEscape)
}

fn is_parameter(segment: &str) -> bool {
    segment.len() > 2 && segment.starts_with('{') && segment.ends_with('}')
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    path.split('/').filter(move |_| !path.is_empty())
}

/// The segments of a request path without an allocation for ordinary lengths.
struct Segments<'p> {
    few: [&'p str; 12],
    many: Vec<&'p str>,
    count: usize,
}

impl<'p> Segments<'p> {
    fn of(path: &'p str) -> Option<Self> {
        let mut all = Self {
            few: [""; 12],
            many: Vec::new(),
            count: 0,
        };
        for segment in segments(path) {
            if all.count == PATH_SEGMENTS_MAX {
                return None;
            }
            if all.count < all.few.len() {
                all.few[all.count] = segment;
            } else {
                if all.many.is_empty() {
                    all.many.extend_from_slice(&all.few);
                }
                all.many.push(segment);
            }
            all.count += 1;
        }
        Some(all)
    }

    fn as_slice(&self) -> &[&'p str] {
        if self.many.is_empty() {
            &self.few[..self.count]
        } else {
            &self.many
        }
    }
}

fn pick<'m, T>(methods: &'m [(Method, T)], method: &Method) -> Option<&'m T> {
    let of = |wanted: &Method| methods.iter().find(|(m, _)| m == wanted).map(|(_, t)| t);
    of(method).or_else(|| {
        if *method == Method::HEAD {
            of(&Method::GET)
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Router<u32> {
        let mut router = Router::default();
        router
            .add(Method::PUT, "/comm1k/mapping/CABASIC-RS2/{countIn}", 1)
            .unwrap();
        router.add(Method::GET, "/acc/{id}", 2).unwrap();
        router.add(Method::GET, "/acc/list", 3).unwrap();
        router.add(Method::POST, "/acc/{id}", 4).unwrap();
        router
            .add(Method::GET, "/acc/{id}/items/{item}", 5)
            .unwrap();
        router
    }

    #[test]
    fn finds_templates_and_values() {
        let router = sample();
        let (target, values) = router
            .find(&Method::PUT, "/comm1k/mapping/CABASIC-RS2/1")
            .unwrap();
        assert_eq!((*target, values.raw(0)), (1, Some("1")));
        let (target, values) = router.find(&Method::GET, "/acc/a%2Fb/items/7/").unwrap();
        assert_eq!(*target, 5);
        assert_eq!(values.decoded(0).unwrap().unwrap(), "a/b");
        assert_eq!(values.raw(1), Some("7"));
    }

    #[test]
    fn literal_wins_and_parameter_is_the_fallback() {
        let router = sample();
        assert_eq!(*router.find(&Method::GET, "/acc/list").unwrap().0, 3);
        assert_eq!(*router.find(&Method::GET, "/acc/l%69st").unwrap().0, 3);
        let (target, values) = router.find(&Method::POST, "/acc/list").unwrap();
        assert_eq!((*target, values.raw(0)), (4, Some("list")));
    }

    #[test]
    fn says_which_methods_a_path_has() {
        let router = sample();
        let allow = |method, path| router.find(&method, path).unwrap_err();
        assert_eq!(
            allow(Method::DELETE, "/acc/9"),
            NoRoute::Method("GET, HEAD, OPTIONS, POST".into())
        );
        assert_eq!(allow(Method::GET, "/acc"), NoRoute::Path);
        assert_eq!(allow(Method::GET, "/acc//items/1"), NoRoute::Path);
        assert_eq!(allow(Method::GET, &"/a".repeat(65)), NoRoute::Path);
    }

    #[test]
    fn head_is_get_and_duplicates_are_refused() {
        let mut router = sample();
        assert_eq!(*router.find(&Method::HEAD, "/acc/9").unwrap().0, 2);
        assert!(router.add(Method::GET, "/acc/{other}", 9).is_err());
        assert_eq!(percent_decode("%zz"), Err(BadEscape));
        assert_eq!(percent_decode("%ff"), Err(BadEscape));
    }
}
