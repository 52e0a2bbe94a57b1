//! From a line of the generated COBOL back to the user's files.
//!
//! Why: cobc, gcc and libcob speak of generated lines. Not here: reading their messages.

/// Where a generated line comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The user's file.
    pub file: &'a str,
    /// Line in it, from 1.
    pub line: u32,
    /// The COPY statements that led to it, innermost first: file and line.
    pub copied_from: Vec<(String, u32)>,
}

/// One entry per generated line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineMap {
    inclusions: Vec<Inclusion>,
    lines: Vec<(u32, u32)>,
}

/// One use of a file: the program itself, or a copybook at one COPY statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inclusion {
    pub(crate) file: String,
    /// Number of the including use and the line of its COPY.
    pub(crate) parent: Option<(u32, u32)>,
}

impl LineMap {
    pub(crate) fn new(inclusions: Vec<Inclusion>) -> Self {
        Self {
            inclusions,
            lines: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, inclusion: u32, line: u32) {
        self.lines.push((inclusion, line));
    }

    /// Number of generated lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Nothing was generated.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The origin of a generated line (from 1). Generated text that no user line stands for
    /// answers the nearest line before it.
    pub fn origin(&self, generated_line: u32) -> Option<Origin<'_>> {
        let at = usize::try_from(generated_line).ok()?.checked_sub(1)?;
        let &(inclusion, line) = self.lines.get(at)?;
        let file = &self.inclusions.get(inclusion as usize)?.file;
        Some(Origin {
            file,
            line,
            copied_from: copied_from(&self.inclusions, inclusion),
        })
    }

    /// The COPY statements that led to a line of this file, for the first use of the file.
    pub(crate) fn first_use(&self, file: &str) -> Vec<(String, u32)> {
        match self.inclusions.iter().position(|i| i.file == file) {
            Some(at) => copied_from(&self.inclusions, at as u32),
            None => Vec::new(),
        }
    }
}

pub(crate) fn copied_from(inclusions: &[Inclusion], inclusion: u32) -> Vec<(String, u32)> {
    let mut out = Vec::new();
    let mut at = inclusions.get(inclusion as usize);
    while let Some((parent, line)) = at.and_then(|i| i.parent) {
        at = inclusions.get(parent as usize);
        if let Some(parent) = at {
            out.push((parent.file.clone(), line));
        }
    }
    out
}
