//! Whether a page of another site sent a request through the user's browser.
//!
//! What: a browser says where a request comes from (`Sec-Fetch-Site`, `Origin`); a page whose name
//! was made to point at this machine is caught by its `Host`, since clients of this machine name it
//! as this machine. Not here: what is refused, and to whom (each door).

use hyper::header::{self, HeaderMap};
use std::net::IpAddr;

/// A page of another site sent it; `host`: as the client named this server.
pub fn is_cross_site(host: &str, headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|v| v.to_str().unwrap_or("?"));
    let elsewhere = matches!(text("sec-fetch-site"), Some("cross-site" | "same-site"));
    let other = text(header::ORIGIN.as_str()).is_some_and(|origin| {
        let named = origin.split_once("://").map(|(_, authority)| authority);
        !named.is_some_and(|named| named.eq_ignore_ascii_case(host))
    });
    elsewhere || other
}

/// A name or address of this machine, with or without a port.
pub fn is_this_machine(authority: &str) -> bool {
    let name = match authority.strip_prefix('[').and_then(|a| a.split_once(']')) {
        Some((address, _)) => address,
        None => authority
            .rsplit_once(':')
            .map_or(authority, |(name, _)| name),
    };
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let address = name.parse::<IpAddr>().is_ok_and(|a| a.is_loopback());
    address || name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::{HeaderName, HeaderValue};

    #[test]
    fn names_of_this_machine() {
        for own in [
            "localhost",
            "LOCALHOST:80",
            "a.localhost:2222",
            "127.0.0.1:1",
            "[::1]:2222",
        ] {
            assert!(is_this_machine(own), "{own}");
        }
        for other in [
            "localhost.example",
            "127.0.0.1.attacker.example",
            "10.0.0.1:80",
            "evil.example",
            "[2001:db8::1]:1",
            "",
        ] {
            assert!(!is_this_machine(other), "{other}");
        }
    }

    #[test]
    fn browsers_say_whose_page_asks() {
        let from = |name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            let name = HeaderName::from_static(name);
            headers.insert(name, HeaderValue::from_static(value));
            is_cross_site("localhost:9443", &headers)
        };
        assert!(from("sec-fetch-site", "cross-site") && from("sec-fetch-site", "same-site"));
        assert!(!from("sec-fetch-site", "none") && !from("sec-fetch-site", "same-origin"));
        assert!(from("origin", "http://localhost:1") && from("origin", "null"));
        assert!(!from("origin", "https://LOCALHOST:9443"));
        assert!(!is_cross_site("localhost", &HeaderMap::new()));
    }
}
