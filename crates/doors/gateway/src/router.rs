//! Method and path to whatever serves them.
//!
//! A tree of path segments. A literal segment wins over a `{parameter}`, whatever was deployed
//! first; if the literal branch leads nowhere the parameter branch is tried. Segments are split
//! before percent-decoding, so `%2F` stays inside its segment. One trailing slash is ignored, as
//! servlet containers do. Nodes are shared between a router and its clones: a change copies the
//! nodes on its way, so one route costs the same among ten and among ten thousand.

mod node;

use hyper::Method;
use node::Node;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Most segments of a path; longer paths have no route, and longer templates are refused.
pub(crate) const PATH_SEGMENTS_MAX: usize = 64;

/// Routes of everything deployed.
#[derive(Debug, Clone)]
pub(crate) struct Router<T> {
    root: Arc<Node<T>>,
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
            root: Arc::default(),
        }
    }
}

/// Why a template gets no route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RouteRefused {
    /// Another route answers this method and path.
    Taken(Method, String),
    /// No request can have so many segments.
    Long(String),
}

impl fmt::Display for RouteRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken(method, template) => {
                write!(f, "{method} {template} is deployed already")
            }
            Self::Long(template) => {
                write!(f, "{template} has more than {PATH_SEGMENTS_MAX} segments")
            }
        }
    }
}

impl<T: Clone> Router<T> {
    /// Adds a route. `template` is an absolute path such as `/a/{b}/c`.
    ///
    /// # Errors
    /// The template with other parameter names or the same one is taken already for this method.
    pub(crate) fn add(
        &mut self,
        method: Method,
        template: &str,
        target: T,
    ) -> Result<(), RouteRefused> {
        let methods = &mut self.make(template)?.methods;
        if methods.iter().any(|(m, _)| *m == method) {
            return Err(RouteRefused::Taken(method, template.to_owned()));
        }
        methods.push((method, target));
        Ok(())
    }

    /// Adds what a GET finds where no route answers it. What is there first stays.
    pub(crate) fn add_document(&mut self, template: &str, target: T) {
        if let Ok(node) = self.make(template) {
            node.document.get_or_insert(target);
        }
    }

    /// Takes away what is `mine` at a template, of all methods.
    pub(crate) fn remove(&mut self, template: &str, mine: impl Fn(&T) -> bool) {
        let path: Vec<&str> = segments(template).collect();
        if path.len() <= PATH_SEGMENTS_MAX {
            remove_below(&mut self.root, &path, &mine);
        }
    }

    /// The node of a template, made where there is none.
    fn make(&mut self, template: &str) -> Result<&mut Node<T>, RouteRefused> {
        if segments(template).nth(PATH_SEGMENTS_MAX).is_some() {
            return Err(RouteRefused::Long(template.to_owned()));
        }
        let mut node = Arc::make_mut(&mut self.root);
        for segment in segments(template) {
            let next = match is_parameter(segment) {
                true => node.parameter.get_or_insert_default(),
                false => node.literals.make(&literal(segment)),
            };
            node = Arc::make_mut(next);
        }
        Ok(node)
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
        match walk(&self.root, all.as_slice(), method, &mut values, &mut other) {
            Some(target) => Ok((target, values)),
            None => match other {
                Some(node) => Err(NoRoute::Method(allow(node))),
                None => Err(NoRoute::Path),
            },
        }
    }
}

fn walk<'r, 'p, T>(
    node: &'r Node<T>,
    rest: &[&'p str],
    method: &Method,
    values: &mut PathValues<'p>,
    other: &mut Option<&'r Node<T>>,
) -> Option<&'r T> {
    let Some((segment, rest)) = rest.split_first() else {
        let found = pick(node, method);
        if found.is_none() && node.has_methods() && other.is_none() {
            *other = Some(node);
        }
        return found;
    };
    if let Some(next) = literal_raw(node, segment)
        && let Some(target) = walk(next, rest, method, values, other)
    {
        return Some(target);
    }
    let next = node.parameter.as_ref().filter(|_| !segment.is_empty())?;
    values.values.push(segment);
    let found = walk(next, rest, method, values, other);
    if found.is_none() {
        values.values.pop();
    }
    found
}

/// Nodes that lead nowhere any more go with what is removed.
fn remove_below<T: Clone>(node: &mut Arc<Node<T>>, path: &[&str], mine: &dyn Fn(&T) -> bool) {
    let node = Arc::make_mut(node);
    let Some((segment, rest)) = path.split_first() else {
        node.methods.retain(|(_, target)| !mine(target));
        node.document.take_if(|target| mine(target));
        return;
    };
    if is_parameter(segment) {
        if let Some(next) = &mut node.parameter {
            remove_below(next, rest, mine);
            node.parameter.take_if(|next| next.is_empty());
        }
        return;
    }
    let segment = literal(segment);
    if let Some(next) = node.literals.get_mut(&segment) {
        remove_below(next, rest, mine);
        if next.is_empty() {
            node.literals.remove(&segment);
        }
    }
}

fn literal_raw<'r, T>(node: &'r Node<T>, segment: &str) -> Option<&'r Node<T>> {
    if segment.contains('%') {
        return node.literals.get(&percent_decode(segment).ok()?);
    }
    node.literals.get(segment)
}

/// Templates may be written with escapes; requests are compared decoded.
fn literal(segment: &str) -> Cow<'_, str> {
    percent_decode(segment).unwrap_or(Cow::Borrowed(segment))
}

fn allow<T>(node: &Node<T>) -> String {
    let mut names: Vec<&str> = node.methods.iter().map(|(m, _)| m.as_str()).collect();
    if node.document.is_some() {
        names.push("GET");
    }
    if names.contains(&"GET") && !names.contains(&"HEAD") {
        names.push("HEAD");
    }
    names.push("OPTIONS");
    names.sort_unstable();
    names.dedup();
    names.join(", ")
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

fn pick<'r, T>(node: &'r Node<T>, method: &Method) -> Option<&'r T> {
    let methods = &node.methods;
    let of = |wanted: &Method| methods.iter().find(|(m, _)| m == wanted).map(|(_, t)| t);
    of(method).or_else(|| match *method {
        Method::HEAD => of(&Method::GET).or(node.document.as_ref()),
        Method::GET => node.document.as_ref(),
        _ => None,
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

    #[test]
    fn a_route_goes_and_nothing_is_left_of_it() {
        let mut router = Router::default();
        router.add(Method::GET, "/a/{b}/c%20d", 1).unwrap();
        router.add(Method::PUT, "/a/{b}/c%20d", 2).unwrap();
        router.add_document("/a/{b}/c%20d", 3);
        let before = router.clone();
        router.remove("/a/{x}/c%20d", |target| *target == 1);
        // The document is behind the route; what was cloned has the route still.
        assert_eq!(*router.find(&Method::GET, "/a/7/c%20d").unwrap().0, 3);
        assert_eq!(*before.find(&Method::GET, "/a/7/c%20d").unwrap().0, 1);
        router.remove("/a/{x}/c%20d", |_| true);
        assert!(router.root.is_empty() && !before.root.is_empty());
        let long = "/a".repeat(65);
        let refused = router.add(Method::GET, &long, 4).unwrap_err();
        assert_eq!(refused, RouteRefused::Long(long));
    }

    #[test]
    fn a_route_among_thousands_is_found_added_and_taken_away() {
        let mut router = Router::default();
        for n in 0..5_000 {
            router.add(Method::GET, &format!("/api{n}/x"), n).unwrap();
        }
        assert_eq!(*router.find(&Method::GET, "/api4321/x").unwrap().0, 4_321);
        router.remove("/api4321/x", |_| true);
        assert!(router.find(&Method::GET, "/api4321/x").is_err());
        for n in 0..4_998 {
            router.remove(&format!("/api{n}/x"), |_| true);
        }
        assert_eq!(*router.find(&Method::GET, "/api4999/x").unwrap().0, 4_999);
    }
}
