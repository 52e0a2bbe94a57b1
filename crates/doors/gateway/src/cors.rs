//! Cross-origin rules of the `cors` elements.

use crate::reply_body::ReplyBody;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Response, StatusCode};

/// One `cors` element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorsRule {
    /// Paths the rule is for: this prefix.
    pub domain: String,
    /// Origins, `*` for any; empty allows none. `*` counts only without `credentials`: any site
    /// could act for a user then, and browsers refuse it.
    pub origins: Vec<String>,
    /// Methods a preflight may ask for; empty allows none.
    pub methods: Vec<String>,
    /// Request headers a preflight may ask for; `*` for any.
    pub headers: Vec<String>,
    /// Response headers scripts may read.
    pub expose: Vec<String>,
    /// Cookies and credentials may be sent.
    pub credentials: bool,
    /// How long a preflight may be remembered, seconds.
    pub max_age: Option<u64>,
}

/// All rules; the longest matching domain counts.
#[derive(Debug, Default)]
pub(crate) struct Cors(Vec<CorsRule>);

impl Cors {
    pub(crate) fn new(mut rules: Vec<CorsRule>) -> Self {
        rules.sort_by_key(|r| std::cmp::Reverse(r.domain.len()));
        Self(rules)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Answers a preflight; `None` when the request is none or no rule is for it.
    pub(crate) fn preflight(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Option<Response<ReplyBody>> {
        let wanted = headers
            .get(header::ACCESS_CONTROL_REQUEST_METHOD)?
            .to_str()
            .ok()?;
        let (rule, origin) = self
            .rule(path, headers)
            .filter(|_| *method == Method::OPTIONS)?;
        let mut response = Response::new(ReplyBody::default());
        if !rule
            .methods
            .iter()
            .any(|m| m == "*" || m.eq_ignore_ascii_case(wanted))
        {
            *response.status_mut() = StatusCode::FORBIDDEN;
            return Some(response);
        }
        let out = response.headers_mut();
        allow_origin(rule, origin, out);
        set(
            out,
            header::ACCESS_CONTROL_ALLOW_METHODS,
            &rule.methods.join(", "),
        );
        let asked = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS);
        match asked.filter(|_| rule.headers.iter().any(|h| h == "*")) {
            Some(asked) => {
                out.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
            }
            None if rule.headers.is_empty() => {}
            None => set(
                out,
                header::ACCESS_CONTROL_ALLOW_HEADERS,
                &rule.headers.join(", "),
            ),
        }
        if let Some(age) = rule.max_age {
            set(out, header::ACCESS_CONTROL_MAX_AGE, &age.to_string());
        }
        Some(response)
    }

    /// Adds the headers of an actual cross-origin request.
    pub(crate) fn apply(&self, path: &str, request: &HeaderMap, out: &mut HeaderMap) {
        let Some((rule, origin)) = self.rule(path, request) else {
            return;
        };
        allow_origin(rule, origin, out);
        if !rule.expose.is_empty() {
            set(
                out,
                header::ACCESS_CONTROL_EXPOSE_HEADERS,
                &rule.expose.join(", "),
            );
        }
    }

    /// Whether a rule for the path allows the origin of a request.
    pub(crate) fn allows(&self, path: &str, request: &HeaderMap) -> bool {
        self.rule(path, request).is_some()
    }

    fn rule<'a>(&self, path: &str, headers: &'a HeaderMap) -> Option<(&CorsRule, &'a HeaderValue)> {
        let origin = headers.get(header::ORIGIN)?;
        let rule = self.0.iter().find(|r| covers(&r.domain, path))?;
        let known = rule
            .origins
            .iter()
            .any(|o| (o == "*" && !rule.credentials) || o.as_bytes() == origin.as_bytes());
        known.then_some((rule, origin))
    }
}

fn covers(domain: &str, path: &str) -> bool {
    let domain = domain.trim_end_matches('/');
    path.strip_prefix(domain)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn allow_origin(rule: &CorsRule, origin: &HeaderValue, out: &mut HeaderMap) {
    let any = rule.origins.iter().any(|o| o == "*") && !rule.credentials;
    let value = if any {
        HeaderValue::from_static("*")
    } else {
        origin.clone()
    };
    out.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, value);
    if !any {
        out.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if rule.credentials {
        out.insert(
            header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
            HeaderValue::from_static("true"),
        );
    }
}

fn set(out: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        out.insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_covers_whole_segments() {
        assert!(covers("/", "/a/b") && covers("/a", "/a") && covers("/a", "/a/b"));
        assert!(!covers("/a", "/ab"));
    }
}
