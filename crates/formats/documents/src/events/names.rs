//! Elements that are open, and the namespaces they declare.
//!
//! Why one run of bytes: an element costs its name and a few bytes more, however deep it lies.
//! Not here: reading tags (`scan`).

use std::collections::HashMap;

const XML: &[u8] = b"http://www.w3.org/XML/1998/namespace";

/// A name in its parts.
#[derive(Debug, Clone, Default)]
pub(super) struct Name {
    pub(super) prefix: Vec<u8>,
    pub(super) local: Vec<u8>,
    pub(super) namespace: Vec<u8>,
}

/// Why a name means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unresolved {
    /// It is no name.
    NoName,
    /// Its prefix is not declared.
    Undeclared,
}

/// Open elements, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// Their names, one behind the other.
    names: Vec<u8>,
    /// Where each name begins, and how many namespaces had been declared before it.
    elements: Vec<(usize, usize)>,
    /// Prefixes in the order of their declarations.
    declared: Vec<Vec<u8>>,
    /// What each prefix means, the innermost last.
    meanings: HashMap<Vec<u8>, Vec<Vec<u8>>>,
}

impl Open {
    pub(super) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// An element begins.
    pub(super) fn begin(&mut self, name: &[u8], namespaces: &[(Vec<u8>, Vec<u8>)]) {
        self.elements.push((self.names.len(), self.declared.len()));
        self.names.extend_from_slice(name);
        for (prefix, namespace) in namespaces {
            self.declared.push(prefix.clone());
            let meanings = self.meanings.entry(prefix.clone()).or_default();
            meanings.push(namespace.clone());
        }
    }

    /// The name of the innermost.
    pub(super) fn name(&self) -> &[u8] {
        let begin = self.elements.last().map_or(self.names.len(), |e| e.0);
        &self.names[begin..]
    }

    /// The innermost ends.
    pub(super) fn end(&mut self) {
        let Some((begin, declared)) = self.elements.pop() else {
            return;
        };
        self.names.truncate(begin);
        for prefix in self.declared.drain(declared..) {
            if let Some(meanings) = self.meanings.get_mut(&prefix) {
                meanings.pop();
                if meanings.is_empty() {
                    self.meanings.remove(&prefix);
                }
            }
        }
    }

    /// The parts of a name.
    pub(super) fn resolve(&self, name: &[u8], attribute: bool) -> Result<Name, Unresolved> {
        let (prefix, local) = split(name).ok_or(Unresolved::NoName)?;
        let meaning = match prefix {
            b"xml" => XML,
            b"" if attribute => b"",
            b"" => self.meaning(prefix).unwrap_or(b""),
            _ => {
                let meaning = self.meaning(prefix).filter(|meaning| !meaning.is_empty());
                meaning.ok_or(Unresolved::Undeclared)?
            }
        };
        Ok(Name {
            prefix: prefix.to_vec(),
            local: local.to_vec(),
            namespace: meaning.to_vec(),
        })
    }

    fn meaning(&self, prefix: &[u8]) -> Option<&[u8]> {
        let meanings = self.meanings.get(prefix)?;
        meanings.last().map(Vec::as_slice)
    }
}

/// Prefix and local part of a name.
pub(super) fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let Some(colon) = name.iter().position(|b| *b == b':') else {
        return Some((b"", name));
    };
    let (prefix, local) = (&name[..colon], &name[colon + 1..]);
    let good = !prefix.is_empty() && !local.is_empty() && !local.contains(&b':');
    good.then_some((prefix, local))
}
