//! The stages in order.

use crate::assemble::Assembly;
use crate::blocks::group;
use crate::clauses::replace_values;
use crate::collating::order_special_names;
use crate::comparands::cut_comparands;
use crate::computed::begin_with_zero;
use crate::copying::Copier;
use crate::declared::declared;
use crate::depending::largest_receivers;
use crate::documents;
use crate::elements::name_elements;
use crate::hex::read_literals;
use crate::lexer::lex;
use crate::literals::order_literals;
use crate::maps::clear_map_areas;
use crate::national::national_parts;
use crate::passed::refuse_parameters;
use crate::phrases::end_in_front_of_phrases;
use crate::pointers::four_bytes;
use crate::powers::from_left_to_right;
use crate::printer::Printer;
use crate::quotients::cut_quotients;
use crate::receivers::compute_once;
use crate::refuse::{refuse, refuse_options};
use crate::replace::replace_statements;
use crate::slack::place_slack;
use crate::sorts::tell_sorts;
use crate::structure::programs;
use crate::supplied::supply;
use crate::table::tell_tables;
use crate::token::{Session, Token};
use crate::{CopyLibrary, Options, Source, Translated};

/// Translates one source file. Never fails: what is wrong is in [`Translated::problems`].
pub fn translate(source: &Source<'_>, copy: &dyn CopyLibrary, options: &Options) -> Translated {
    let mut session = Session::default();
    let inclusion = session.include(source.name, source.text, None);
    let lexed = lex(source.text, inclusion, options.free_format, &mut session);
    let mut copier = Copier {
        library: copy,
        session: &mut session,
        dependencies: Vec::new(),
        missing: Vec::new(),
        produced: lexed.tokens.len(),
        open: Vec::new(),
        free: options.free_format,
    };
    let tokens = copier.expand(lexed.tokens);
    let dependencies = std::mem::take(&mut copier.dependencies);
    let missing = std::mem::take(&mut copier.missing);
    let tokens = read_anew(tokens, options, &mut session);
    let names = declared(&tokens);
    refuse_options(&lexed.cards, &mut session);
    let tokens = tell_sorts(refuse(tokens, &names, &mut session), &mut session);
    let of_documents = crate::flags::of_documents(&lexed.cards, options);
    let tokens = national_parts(tokens, &names);
    let tokens = documents::generate(tokens, &names, of_documents, &mut session);
    let tokens = supply(tokens, &names);
    let tokens = place_slack(tokens, &mut session);
    let commarea = crate::commarea::described(&tokens);
    let containers = crate::commarea::containers(&tokens);
    let items = group(tokens, &mut session);
    let items = four_bytes(items, &mut session);
    let items = tell_tables(items);
    let programs = programs(&items, &mut session);
    // Items of a file without programs are not looked at.
    let items = if programs.is_empty() {
        Vec::new()
    } else {
        items
    };
    let assembly = Assembly::new(&items, &programs, options, &mut session);
    let mut printer = Printer::new(&session.inclusions);
    assembly.print(&mut printer);
    let (cobol, line_map) = printer.finish();
    let compiler_flags = crate::flags::flags(&lexed.cards, &items, options);
    // A message in a copybook belongs where the program copies it.
    session
        .problems
        .sort_by_key(|p| p.place.copied_from.last().map_or(p.place.line, |(_, l)| *l));
    Translated {
        cobol,
        line_map,
        coverage: assembly.coverage,
        commarea,
        containers,
        programs: assembly.infos,
        problems: session.problems,
        compiler_flags,
        dependencies,
        missing,
        files: session.files,
    }
}

/// Text as the compiler is to read it: REPLACE, debugging lines, elements of tables as
/// arguments, phrases behind DISPLAY, groups of varying length,
/// operands of several receivers, powers of powers, zeros in front of expressions, numbers behind
/// quotients, literals, names of characters.
fn read_anew(tokens: Vec<Token>, options: &Options, session: &mut Session) -> Vec<Token> {
    let tokens = replace_statements(tokens, session);
    let tokens = drop_debugging(tokens);
    let tokens = replace_values(tokens, session);
    let tokens = refuse_parameters(tokens, session);
    let tokens = end_in_front_of_phrases(name_elements(tokens, session));
    let tokens = largest_receivers(clear_map_areas(tokens));
    let tokens = compute_once(tokens, session);
    let tokens = cut_comparands(from_left_to_right(tokens));
    let tokens = cut_quotients(begin_with_zero(tokens));
    let tokens = read_literals(tokens, options, session);
    if options.ebcdic_order {
        let tokens = order_special_names(tokens, session);
        order_literals(tokens, session)
    } else {
        tokens
    }
}

/// Debugging lines count only under WITH DEBUGGING MODE.
fn drop_debugging(mut tokens: Vec<Token>) -> Vec<Token> {
    let debugging = tokens
        .windows(2)
        .any(|w| w[0].is("DEBUGGING") && w[1].is("MODE"));
    if !debugging {
        tokens.retain(|t| !t.debug);
    }
    tokens
}
