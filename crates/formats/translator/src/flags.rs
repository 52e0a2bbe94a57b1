//! Flags for cobc: the house's own, CBL/PROCESS options, and words to take out of its list.

use crate::blocks::Item;
use crate::lexer::Card;
use crate::{Options, Truncation};

/// Flags every program is compiled with.
const ALWAYS: &[&str] = &[
    "-std=ibm",
    "-free",
    // Names of programs count in upper case, whatever the source says.
    "-ffold-call=upper",
    "-O2",
    "-fsign=EBCDIC",
    "-fodoslide",
    "-fstack-check",
    "-fstack-size=512",
    "-fec=EC-DATA-INCOMPATIBLE",
    "-frelax-syntax-checks",
    "-K",
    "TXMEXEC",
    "-K",
    "TXMENTRY",
    "-K",
    "TXMHIGH",
    "-K",
    "TXMTABLE",
    "-A",
    PACKED_BY_CALL,
    "-A",
    BINARY_OPERANDS,
    // Local symbols stay in the module: a debugger finds records by them. The C compiler makes no
    // more than these of it (a fifth of its time), and cobc's marks of paragraphs are taken out.
    "-g",
    "-A",
    MARKS,
    "-A",
    "-g0",
];

/// cobc calls a function that does nothing at each paragraph where a debugger may stop. It is gone
/// where it is called (include level 0); its declaration (levels above) has another name.
const MARKS: &str = "'-DTXM_NOP0=(void)0' '-DTXM_NOP1=txm_unused_nop(void)' \
     '-DTXM_NOP2=txm_unused_nop(void)' '-Dcob_nop(...)=TXM_AT(TXM_NOP,__INCLUDE_LEVEL__)'";

/// cobc writes functions of its own for short packed items into each program, in a file that the
/// program includes; they check no digit and no sign. Where they are defined (include level 1)
/// these macros give them another name, where they are called (level 0) libcob's functions stand
/// instead, which the run time replaces.
const PACKED_BY_CALL: &str = "'-DTXM_JOIN(a,b)=a##b' '-DTXM_AT(a,b)=TXM_JOIN(a,b)' \
     '-DTXM_CMP0(f,n)=cob_cmp_packed((cob_field*)f,n)' '-DTXM_CMP1(f,n)=txm_unused_cmp(f,n)' \
     '-Dcob_cmp_packed_int(f,n)=TXM_AT(TXM_CMP,__INCLUDE_LEVEL__)(f,n)' \
     '-DTXM_GET0(f)=cob_get_int((cob_field*)f)' '-DTXM_GET1(f)=txm_unused_get(f)' \
     '-Dcob_get_packed_int(f)=TXM_AT(TXM_GET,__INCLUDE_LEVEL__)(f)' \
     '-DTXM_ADD0(f,n)=cob_add_int((cob_field*)f,n,0)' '-DTXM_ADD1(f,n)=txm_unused_add(f,n)' \
     '-Dcob_add_packed_int(f,n)=TXM_AT(TXM_ADD,__INCLUDE_LEVEL__)(f,n)'";

/// A binary item becomes an operand by the function that literals become one by. The run time is
/// told that it is an item, and its bytes: a power by an item is cut otherwise than by a literal.
const BINARY_OPERANDS: &str = "'-DTXM_SET0(d,n)=({extern void TXMOPERAND(void*,int);\
     cob_decimal_set_llint(d,n);if(!__builtin_constant_p(n))TXMOPERAND(d,(int)sizeof(n));})' \
     '-DTXM_SET1(d,n)=cob_decimal_set_llint(d,n)' '-DTXM_SET2(d,n)=cob_decimal_set_llint(d,n)' \
     '-Dcob_decimal_set_llint(d,n)=TXM_AT(TXM_SET,__INCLUDE_LEVEL__)(d,n)'";

/// With ARITH(EXTEND) the run time is told so where it is told the decimal places of a statement.
const EXTENDED: &str = "'-DTXM_ALIGN0(d,n)=({extern void TXMEXTEND(void);TXMEXTEND();\
     cob_decimal_align(d,n);})' '-DTXM_ALIGN1(d,n)=cob_decimal_align(d,n)' \
     '-DTXM_ALIGN2(d,n)=cob_decimal_align(d,n)' \
     '-Dcob_decimal_align(d,n)=TXM_AT(TXM_ALIGN,__INCLUDE_LEVEL__)(d,n)'";

/// A sum of an unsigned binary item, whose result has no sign on z/OS: cobc's own functions make a
/// large number of a negative one. They get other names where they are defined, and the calls
/// become expressions; `o` is the order of the bytes.
const UNSIGNED_SUM: &str = "'-DTXM_AS_IT_IS(n)=(n)' '-DTXM_SUM(t,o,p,v)=({t txm_n;__int128 txm_s;\
     __builtin_memcpy(&txm_n,(p),sizeof txm_n);txm_s=(__int128)(t)o(txm_n)+(__int128)(v);\
     txm_n=o((t)(txm_s<0?-txm_s:txm_s));__builtin_memcpy((p),&txm_n,sizeof txm_n);})'";

fn unsigned_sums() -> String {
    let mut out = UNSIGNED_SUM.to_owned();
    for (bits, kind) in [(16, "short"), (32, "int"), (64, "long")] {
        for (verb, sign) in [("add", ""), ("sub", "-(__int128)")] {
            for (swapped, order) in [("", "TXM_AS_IT_IS"), ("swp", "__builtin_bswap")] {
                let name = format!("{verb}{swapped}_u{bits}");
                let order = match swapped {
                    "" => order.to_owned(),
                    _ => format!("{order}{bits}"),
                };
                out += &format!(
                    " '-Dcob_{name}(p,v)=TXM_AT(TXM_{name}_,__INCLUDE_LEVEL__)(p,v)' \
                     '-DTXM_{name}_1(p,v)=txm_unused_{name}(p,v)' \
                     '-DTXM_{name}_0(p,v)=TXM_SUM(unsigned {kind},{order},p,{sign}(v))'"
                );
            }
        }
    }
    out
}

pub(crate) fn flags(cards: &[Card], items: &[Item], options: &Options) -> Vec<String> {
    let mut out: Vec<String> = ALWAYS.iter().map(|f| (*f).to_owned()).collect();
    out.extend(["-A".to_owned(), unsigned_sums()]);
    let mut ranges = options.check_ranges;
    let mut extended = false;
    for option in cards.iter().flat_map(|card| card_options(&card.text)) {
        match option.as_str() {
            "SSRANGE" => ranges = true,
            "NOSSRANGE" => ranges = false,
            "ARITH(EXTEND)" | "AR(E)" | "ARITH(E)" | "AR(EXTEND)" => extended = true,
            _ if option.starts_with("ARITH(") || option.starts_with("AR(") => extended = false,
            "APOST" => out.push("-fsingle-quote".to_owned()),
            _ if option.starts_with("SSRANGE(") => ranges = true,
            _ => {}
        }
    }
    if extended {
        out.extend(["-A".to_owned(), EXTENDED.to_owned()]);
    }
    let truncate = if native_binary(cards, options) {
        "-fno-binary-truncate"
    } else {
        "-fbinary-truncate"
    };
    out.push(truncate.to_owned());
    if ranges {
        out.push("-fec=EC-BOUND".to_owned());
        // XML-TEXT may be empty.
        if items
            .iter()
            .any(|i| matches!(i, Item::Word(t) if t.is("TXM-XML-TEXT-L")))
        {
            out.push("-fref-mod-zero-length".to_owned());
        }
    }
    let words = crate::reserved::declared(items);
    out.extend(words.into_iter().map(|w| format!("-fnot-reserved={w}")));
    out
}

/// TRUNC(BIN): binary items hold what their bytes can.
pub(crate) fn native_binary(cards: &[Card], options: &Options) -> bool {
    let mut binary = options.truncation == Truncation::Binary;
    for option in cards.iter().flat_map(|card| card_options(&card.text)) {
        match option.as_str() {
            "TRUNC(BIN)" => binary = true,
            "TRUNC(STD)" | "TRUNC(OPT)" => binary = false,
            _ => {}
        }
    }
    binary
}

/// What matters to JSON and XML statements.
pub(crate) fn of_documents(cards: &[Card], options: &Options) -> crate::documents::Options {
    let of_cards = cards.iter().flat_map(|card| card_options(&card.text));
    let mut of_xml =
        of_cards.filter(|option| option.starts_with("XMLPARSE(") || option.starts_with("XP("));
    crate::documents::Options {
        native_binary: native_binary(cards, options),
        compatible: of_xml.next_back().is_some_and(|o| o.contains("(C")),
    }
}

/// Options of a card, upper case, with their sub-options: `TRUNC(STD)`.
pub(crate) fn card_options(card: &str) -> Vec<String> {
    let upper = card.trim().to_ascii_uppercase();
    let text = upper.split_once([' ', ',']).map_or("", |(_, rest)| rest);
    let mut out = vec![String::new()];
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' | ',' if depth == 0 => {
                out.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.retain(|o| !o.is_empty());
    out
}
