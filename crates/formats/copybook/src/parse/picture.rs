//! PICTURE strings: which kind of item they describe, how many characters, digits and decimals.
//!
//! Lengths in bytes depend on USAGE and are worked out by the layout.

use super::ParseOptions;

/// Longest edited item, in characters: the language allows 249 for numbers; alphanumeric-edited
/// ones are longer at times.
pub const MAX_EDITED: u32 = 4096;
/// Most characters of one elementary item (the z/OS limit on storage of one item).
pub const MAX_CHARACTERS: u32 = 134_217_727;
/// Most digit positions, `P` included, of a number. More than 31 is accepted with a warning.
pub const MAX_DIGIT_POSITIONS: u32 = 128;

/// The classes of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Category {
    /// `X`, `A`, and mixtures of them with `9`.
    Alphanumeric,
    AlphanumericEdited,
    Numeric,
    NumericEdited,
    /// `N`.
    National,
    NationalEdited,
    /// `G`.
    Dbcs,
    DbcsEdited,
    /// `+9(2).9(8)E+99`.
    ExternalFloat,
}

/// An analysed PICTURE string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// As written, upper case.
    pub text: String,
    pub category: Category,
    /// Character positions (of one byte, or two for national and DBCS), without a separate sign.
    pub size: u32,
    /// Digit positions that are stored; 0 for items that are not numbers.
    pub digits: u16,
    /// The value is the stored digits times 10 to the power of `-scale`.
    pub scale: i16,
    pub signed: bool,
    /// For edited items: one character per character position, repeats written out, decimal point
    /// as `.`, `V` and `P` left out.
    pub mask: Option<Box<str>>,
    /// DECIMAL-POINT IS COMMA: `.` of the mask is stored as `,` and the other way round.
    pub decimal_comma: bool,
}

impl Picture {
    /// Reads a PICTURE string in upper case.
    ///
    /// # Errors
    /// A sentence for the user.
    pub fn read(text: &str, options: &ParseOptions) -> Result<Self, String> {
        analyse(text, options)
    }

    /// Decimal places of a number; `None`: it is none, or floating point.
    pub fn decimal_places(&self) -> Option<u16> {
        let is_number = matches!(self.category, Category::Numeric | Category::NumericEdited);
        is_number.then(|| u16::try_from(self.scale).unwrap_or(0))
    }
}

/// Analyses a string; the error is a sentence for the user.
pub(super) fn analyse(text: &str, options: &ParseOptions) -> Result<Picture, String> {
    let runs = runs(text, options)?;
    let picture = Picture {
        text: text.to_owned(),
        category: category(&runs)?,
        size: size(&runs)?,
        digits: 0,
        scale: 0,
        signed: false,
        mask: None,
        decimal_comma: options.decimal_comma,
    };
    match picture.category {
        Category::Numeric => numeric(picture, &runs),
        Category::NumericEdited => numeric_edited(picture, &runs),
        Category::AlphanumericEdited | Category::NationalEdited | Category::DbcsEdited => {
            edited(picture, &runs)
        }
        _ => Ok(picture),
    }
}

/// A symbol with its repetition. `CR` and `DB` are the symbols `c` and `d`, the currency sign is
/// `$`.
type Run = (char, u32);

fn runs(text: &str, options: &ParseOptions) -> Result<Vec<Run>, String> {
    let currency = options.currency.unwrap_or('$').to_ascii_uppercase();
    let mut out: Vec<Run> = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let symbol = match c {
            c if c == currency => '$',
            'C' | 'D' => {
                let (second, symbol) = if c == 'C' { ('R', 'c') } else { ('B', 'd') };
                if chars.next() != Some(second) {
                    return Err(format!("{c} is not a PICTURE symbol, only {c}{second}"));
                }
                symbol
            }
            '.' if options.decimal_comma => ',',
            ',' if options.decimal_comma => '.',
            'A' | 'X' | '9' | 'S' | 'V' | 'P' | 'Z' | '*' | '+' | '-' | ',' | '.' | 'B' | '0'
            | '/' | 'N' | 'G' | 'E' => c,
            '(' => return Err("( must follow a symbol".to_owned()),
            other => return Err(format!("{other} is not a PICTURE symbol")),
        };
        let mut count = 1;
        if chars.peek() == Some(&'(') {
            chars.next();
            count = repeat(&mut chars)?;
        }
        match out.last_mut() {
            Some(last) if last.0 == symbol => last.1 = last.1.saturating_add(count),
            _ => out.push((symbol, count)),
        }
    }
    if out.is_empty() {
        Err("the PICTURE string is empty".to_owned())
    } else {
        Ok(out)
    }
}

fn repeat(chars: &mut impl Iterator<Item = char>) -> Result<u32, String> {
    let mut digits = String::new();
    for c in chars {
        match c {
            ')' => {
                let count: u32 = digits
                    .parse()
                    .map_err(|_| format!("({digits}) is not a number of repetitions"))?;
                return match count {
                    0 => Err("a symbol cannot be repeated 0 times".to_owned()),
                    n if n > MAX_CHARACTERS => {
                        Err(format!("more than {MAX_CHARACTERS} repetitions"))
                    }
                    n => Ok(n),
                };
            }
            c => digits.push(c),
        }
    }
    Err("the closing parenthesis is missing".to_owned())
}

fn category(runs: &[Run]) -> Result<Category, String> {
    let has = |set: &str| runs.iter().any(|r| set.contains(r.0));
    let only = |set: &str| runs.iter().all(|r| set.contains(r.0));
    let insertion = has("B0/");
    Ok(match () {
        () if has("E") => Category::ExternalFloat,
        () if has("N") && only("NB0/") => {
            if insertion {
                Category::NationalEdited
            } else {
                Category::National
            }
        }
        () if has("G") && only("GB0/") => {
            if insertion {
                Category::DbcsEdited
            } else {
                Category::Dbcs
            }
        }
        () if has("NG") => return Err("N and G do not go together with other symbols".to_owned()),
        () if has("AX") && only("AX9") => Category::Alphanumeric,
        () if has("AX") && only("AX9B0/") => Category::AlphanumericEdited,
        () if has("AX") => return Err("A and X do not go together with numeric symbols".to_owned()),
        () if only("9SVP") => Category::Numeric,
        () => Category::NumericEdited,
    })
}

fn size(runs: &[Run]) -> Result<u32, String> {
    let mut size = 0u32;
    for &(symbol, count) in runs {
        let each = match symbol {
            'S' | 'V' | 'P' => 0,
            'c' | 'd' => 2,
            _ => 1,
        };
        size = size.saturating_add(count.saturating_mul(each));
    }
    if size > MAX_CHARACTERS {
        Err(format!("more than {MAX_CHARACTERS} characters"))
    } else {
        Ok(size)
    }
}

fn count_of(runs: &[Run], symbol: char) -> u32 {
    runs.iter()
        .filter(|r| r.0 == symbol)
        .fold(0, |n, r| n.saturating_add(r.1))
}

fn check_positions(runs: &[Run]) -> Result<(), String> {
    let positions = runs
        .iter()
        .filter(|r| "9ZP*+-$".contains(r.0))
        .fold(0u32, |n, r| n.saturating_add(r.1));
    if positions > MAX_DIGIT_POSITIONS {
        return Err(format!(
            "{positions} digit positions; at most {MAX_DIGIT_POSITIONS} are possible"
        ));
    }
    if count_of(runs, 'V') + count_of(runs, '.') > 1 {
        return Err("more than one decimal point".to_owned());
    }
    Ok(())
}

fn check_sign(runs: &[Run]) -> Result<(), String> {
    let signs = count_of(runs, 'S');
    if signs > 1 || signs == 1 && runs[0].0 != 'S' {
        return Err("S must be the first symbol and stand once".to_owned());
    }
    Ok(())
}

fn numeric(mut picture: Picture, runs: &[Run]) -> Result<Picture, String> {
    check_positions(runs)?;
    check_sign(runs)?;
    let nines = count_of(runs, '9');
    if nines == 0 {
        return Err("there is no 9".to_owned());
    }
    let bare: String = runs
        .iter()
        .map(|r| r.0)
        .filter(|c| "9P".contains(*c))
        .collect();
    let after_v = runs
        .iter()
        .skip_while(|r| r.0 != 'V')
        .filter(|r| r.0 == '9')
        .fold(0, |n, r| n + r.1);
    let pads = count_of(runs, 'P') as i16;
    picture.scale = match bare.as_str() {
        "9" | "99" => after_v as i16,
        "P9" | "PP9" => pads + nines as i16,
        "9P" | "9PP" => -pads,
        _ => return Err("P must be at one end of the digits".to_owned()),
    };
    picture.digits = nines as u16;
    picture.signed = runs[0].0 == 'S';
    Ok(picture)
}

fn numeric_edited(mut picture: Picture, runs: &[Run]) -> Result<Picture, String> {
    check_positions(runs)?;
    // Not COBOL, but met in copybooks written for other readers: S9(3).99. Warned about in `tree`.
    check_sign(runs)?;
    let floating: Vec<char> = "+-$".chars().filter(|&c| count_of(runs, c) > 1).collect();
    let mut opened: Vec<char> = Vec::new();
    let (mut digits, mut decimals, mut pads, mut after_point) = (0u16, 0i16, 0i16, false);
    for &(symbol, count) in runs {
        let places = match symbol {
            '9' | 'Z' | '*' => count as u16,
            c if floating.contains(&c) => {
                let first = !opened.contains(&c);
                opened.push(c);
                count as u16 - u16::from(first)
            }
            '.' | 'V' => {
                after_point = true;
                0
            }
            'P' => {
                pads += if digits == 0 {
                    count as i16
                } else {
                    -(count as i16)
                };
                0
            }
            _ => 0,
        };
        digits += places;
        decimals += if after_point { places as i16 } else { 0 };
    }
    if digits == 0 {
        return Err("there is no digit position".to_owned());
    }
    picture.digits = digits;
    picture.scale = match pads {
        0 => decimals,
        n if n > 0 => n + digits as i16,
        n => n,
    };
    picture.signed = runs.iter().any(|r| "S+-cd".contains(r.0));
    edited(picture, runs)
}

fn edited(mut picture: Picture, runs: &[Run]) -> Result<Picture, String> {
    if picture.size > MAX_EDITED {
        return Err(format!(
            "an edited item cannot have more than {MAX_EDITED} characters"
        ));
    }
    let mut mask = String::with_capacity(picture.size as usize);
    for &(symbol, count) in runs {
        for _ in 0..count.min(MAX_EDITED) {
            match symbol {
                'S' | 'V' | 'P' => {}
                'c' => mask.push_str("CR"),
                'd' => mask.push_str("DB"),
                c => mask.push(c),
            }
        }
    }
    picture.mask = Some(mask.into());
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Picture {
        analyse(text, &ParseOptions::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn numbers() {
        for (text, size, digits, scale, signed) in [
            ("9(5)", 5, 5, 0, false),
            ("S9(7)V99", 9, 9, 2, true),
            ("SV9(7)", 7, 7, 7, true),
            ("S9(3)PPP", 3, 3, -3, true),
            ("PPP9(5)", 5, 5, 8, false),
            ("VPP99", 2, 2, 4, false),
            ("9(02)9", 3, 3, 0, false),
        ] {
            let p = read(text);
            assert_eq!(
                (p.category, p.size, p.digits, p.scale, p.signed),
                (Category::Numeric, size, digits, scale, signed),
                "{text}"
            );
        }
    }

    #[test]
    fn edited_numbers() {
        for (text, size, digits, scale, signed, mask) in [
            ("Z(6)9", 7, 7, 0, false, "ZZZZZZ9"),
            ("ZZ,ZZ9.99-", 10, 7, 2, true, "ZZ,ZZ9.99-"),
            ("$$,$$9.99CR", 11, 6, 2, true, "$$,$$9.99CR"),
            ("+9(6)V99", 9, 8, 2, true, "+99999999"),
            ("+++9", 4, 3, 0, true, "+++9"),
            ("----.--", 7, 5, 2, true, "----.--"),
            ("99/99/9999", 10, 8, 0, false, "99/99/9999"),
            ("9(8).9(2)", 11, 10, 2, false, "99999999.99"),
            ("*(4)9DB", 7, 5, 0, true, "****9DB"),
        ] {
            let p = read(text);
            assert_eq!(
                (p.category, p.size, p.digits, p.scale, p.signed),
                (Category::NumericEdited, size, digits, scale, signed),
                "{text}"
            );
            assert_eq!(p.mask.as_deref(), Some(mask), "{text}");
        }
    }

    #[test]
    fn text_and_double_byte() {
        for (text, category, size) in [
            ("X", Category::Alphanumeric, 1),
            ("A(10)", Category::Alphanumeric, 10),
            ("X(4)9(3)", Category::Alphanumeric, 7),
            ("XXBXX/X0", Category::AlphanumericEdited, 8),
            ("N(8)", Category::National, 8),
            ("G(5)B", Category::DbcsEdited, 6),
            ("+9.9(3)E+99", Category::ExternalFloat, 10),
        ] {
            assert_eq!(
                (read(text).category, read(text).size),
                (category, size),
                "{text}"
            );
        }
    }

    #[test]
    fn decimal_comma_and_currency() {
        let options = ParseOptions {
            decimal_comma: true,
            currency: Some('E'),
            ..ParseOptions::default()
        };
        let p = analyse("EE.EE9,99", &options).expect("valid under the options");
        assert_eq!(
            (p.mask.as_deref(), p.digits, p.scale),
            (Some("$$,$$9.99"), 6, 2)
        );
    }

    #[test]
    fn mistakes_are_named() {
        for (text, says) in [
            ("X(", "closing parenthesis"),
            ("X(0)", "0 times"),
            ("X(ABC)", "number of repetitions"),
            ("9S9", "S must be the first"),
            ("9V9V9", "decimal point"),
            ("P9P", "P must be at one end"),
            ("X(999999999)", "repetitions"),
            ("9(200)", "digit positions"),
            ("XS9", "do not go together"),
            ("Q", "not a PICTURE symbol"),
            ("C9", "CR"),
            ("SV", "no 9"),
        ] {
            let e = analyse(text, &ParseOptions::default()).expect_err(text);
            assert!(e.contains(says), "{text}: {e}");
        }
    }
}
