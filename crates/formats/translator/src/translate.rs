//! The stages in order.

use crate::{CopyLibrary, Coverage, LineMap, Options, Source, Translated};

/// Translates one source file. Never fails: what is wrong is in [`Translated::problems`].
pub fn translate(source: &Source<'_>, _copy: &dyn CopyLibrary, _options: &Options) -> Translated {
    Translated {
        cobol: String::new(),
        line_map: LineMap::default(),
        problems: Vec::new(),
        coverage: Coverage::default(),
        programs: Vec::new(),
        compiler_flags: Vec::new(),
        dependencies: Vec::new(),
        source_name: source.name.to_owned(),
        source_text: source.text.to_owned(),
    }
}
