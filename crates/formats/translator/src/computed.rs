//! COMPUTE statements with a first operand of zero, which makes their intermediate results those
//! of z/OS.
//!
//! Why: cobc says how many decimal places a statement has (dmax) in front of each operation but
//! the last, knows nothing of ROUNDED, and finds out that a statement is floating point when it
//! comes to the first such operand. What: `FUNCTION SQRT(0) +` where a function or an exponent
//! behind a quotient makes floating point of the statement; `(0.000 + ZERO) +` with a place more
//! than the receiver where it is ROUNDED and a quotient is not the last operation; `(0 + ZERO) +`
//! where there is a power, or where an intermediate result may have more digits than z/OS keeps:
//! the run time is told dmax with the zero, and of a power only the places of its base. Not here:
//! what is cut (the run time's intermediate.c), numbers behind quotients (`quotients`), other
//! statements.

use crate::data::{Data, Entry, Usage, options};
use crate::token::{Kind, Token};
use transom_copybook::{ParseOptions, Picture};

/// Functions that answer floating point, as the run time knows them.
const FLOATING: &[&str] = &[
    "ACOS", "ANNUITY", "ASIN", "ATAN", "COS", "EXP", "EXP10", "LOG", "LOG10", "NUMVAL", "NUMVAL-C",
    "NUMVAL-F", "SIN", "SQRT", "TAN",
];

/// Digits that an intermediate result has without being cut, with ARITH(COMPAT); one more with
/// EXTEND, where a zero too many does nothing.
const MOST_DIGITS: usize = 30;

/// Digits that are taken of an operand of which nothing is known, as of a function.
const UNKNOWN_DIGITS: usize = 18;

/// Puts the zeros into the statements that need one.
pub(crate) fn begin_with_zero(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|t| t.is("COMPUTE")) {
        return tokens;
    }
    let items = Items {
        data: Data::of_file(&tokens),
        options: options(&tokens),
    };
    let mut out = Vec::with_capacity(tokens.len() + 16);
    let mut exec = false;
    // Behind the last COMPUTE, whose sign of equality is yet to come.
    let mut receivers = None;
    for (at, token) in tokens.iter().enumerate() {
        out.push(token.clone());
        exec = (exec || token.is_any(&["EXEC", "EXECUTE"])) && !token.is("END-EXEC");
        if token.is("COMPUTE") {
            receivers = Some(at + 1);
        } else if matches!(token.kind, Kind::Period | Kind::Operator) || token.is("EQUAL") {
            let equals = &*token.text == "=" || token.is("EQUAL");
            if let Some(start) = receivers.take().filter(|_| equals && !exec)
                && let Some(zero) = items.zero(&tokens[start..at], &tokens[at + 1..])
            {
                put(&zero, &tokens[at + 1..], &mut out);
            }
        }
    }
    out
}

/// The words of a zero and an operator. A minus that follows stays a sign, which belongs to the
/// first operand and counts in front of `**`; a plus does as the operator.
fn put(zero: &str, behind: &[Token], out: &mut Vec<Token>) {
    let Some(next) = behind.first() else { return };
    let plus = next.kind == Kind::Word && &*next.text == "+";
    let words = zero.split(' ').chain((!plus).then_some("+"));
    out.extend(words.map(|text| next.spelled(text)));
}

/// What is known of the program's items.
struct Items {
    data: Data,
    options: ParseOptions,
}

/// What an expression is made of.
#[derive(Default)]
struct Made {
    operations: usize,
    quotient: bool,
    power: bool,
    floating: bool,
    /// There is a COMP-1 or COMP-2 item, which a zero of fixed point would make long.
    float_items: bool,
    /// Of all operands: more than any result has.
    digits: usize,
}

impl Made {
    /// Whether an intermediate result may have more digits than z/OS keeps.
    fn long(&self) -> bool {
        self.operations > 1 && !self.float_items && self.digits + self.operations > MOST_DIGITS
    }
}

impl Items {
    /// The zero that a statement needs, by its receivers and what stands behind the sign.
    fn zero(&self, receivers: &[Token], behind: &[Token]) -> Option<String> {
        let made = self.expression(behind);
        if made.floating && (made.quotient || made.power) {
            return Some("FUNCTION SQRT ( 0 )".to_owned());
        }
        let places = self.places_of_rounded(receivers);
        let inner = made.power || (made.quotient && made.operations > 1) || made.long();
        match places {
            Some(places) if inner => Some(format!("( {} + ZERO )", self.literal(places + 1))),
            _ if made.power || made.long() => Some("( 0 + ZERO )".to_owned()),
            _ => None,
        }
    }

    /// `0.000`
    fn literal(&self, places: usize) -> String {
        format!("0{}{}", self.point(), "0".repeat(places))
    }

    fn point(&self) -> char {
        if self.options.decimal_comma { ',' } else { '.' }
    }

    /// The most decimal places that a ROUNDED receiver has.
    fn places_of_rounded(&self, receivers: &[Token]) -> Option<usize> {
        let rounded = receivers.iter().enumerate();
        let rounded = rounded.filter(|(_, t)| t.is("ROUNDED"));
        rounded
            .filter_map(|(at, _)| self.places(name_before(&receivers[..at])?))
            .max()
    }

    /// Decimal places of a receiver; of several with the name the most.
    fn places(&self, name: &Token) -> Option<usize> {
        let name = name.upper();
        let found = self.data.named(&name, &[]);
        let entries = found.filter_map(|at| self.data.entries.get(at));
        entries.filter_map(|entry| self.places_of(entry)).max()
    }

    fn places_of(&self, entry: &Entry) -> Option<usize> {
        match entry.clauses.usage {
            Some(Usage::Short | Usage::Long) => None,
            _ => {
                let picture = Picture::read(entry.clauses.picture.as_deref()?, &self.options);
                picture.ok()?.decimal_places().map(usize::from)
            }
        }
    }

    fn expression(&self, tokens: &[Token]) -> Made {
        let mut made = Made::default();
        let mut operand = false;
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let joined = before.is_some_and(|t| t.is_any(&["OF", "IN", "FUNCTION"]));
            match token.kind {
                // Subscripts and arguments.
                Kind::Open if operand => at = closed(tokens, at),
                Kind::Open | Kind::Close => {}
                Kind::Word if token.is("FUNCTION") => {
                    if operand {
                        break;
                    }
                    made.floating |= tokens.get(at + 1).is_some_and(|t| t.is_any(FLOATING));
                }
                Kind::Word if token.is_any(&["OF", "IN"]) => {}
                Kind::Word if is_operator(token) => {
                    made.operations += usize::from(operand);
                    made.quotient |= &*token.text == "/";
                    if &*token.text == "**" {
                        self.exponent(&tokens[at + 1..], &mut made);
                    }
                    operand = false;
                }
                Kind::Word | Kind::Literal if operand && !joined => break,
                Kind::Word | Kind::Literal => {
                    // The name of the group it is in is none.
                    if !operand {
                        self.operand(token, &mut made);
                    }
                    operand = true;
                }
                _ => break,
            }
            at += 1;
        }
        made
    }

    fn operand(&self, token: &Token, made: &mut Made) {
        if token
            .text
            .starts_with(|c: char| c.is_ascii_digit() || c == self.point())
        {
            made.digits += token.text.chars().filter(char::is_ascii_digit).count();
            return;
        }
        let name = token.upper();
        let found = self.data.named(&name, &[]);
        let entries = found.filter_map(|at| self.data.entries.get(at));
        let mut most = None;
        for entry in entries {
            made.float_items |= matches!(entry.clauses.usage, Some(Usage::Short | Usage::Long));
            most = most.max(self.digits_of(entry));
        }
        made.digits += most.unwrap_or(UNKNOWN_DIGITS);
    }

    fn digits_of(&self, entry: &Entry) -> Option<usize> {
        let picture = Picture::read(entry.clauses.picture.as_deref()?, &self.options).ok()?;
        let digits = usize::from(picture.digits);
        Some(match entry.clauses.usage {
            Some(Usage::Binary | Usage::Native) if digits > 9 => digits.max(18),
            Some(Usage::Binary | Usage::Native) => digits.max(if digits > 4 { 9 } else { 4 }),
            _ => digits,
        })
    }

    /// A literal with decimal places, or an item with some, makes floating point of it.
    fn exponent(&self, behind: &[Token], made: &mut Made) {
        let signed = behind
            .first()
            .is_some_and(|t| matches!(&*t.text, "+" | "-"));
        let Some(token) = behind.get(usize::from(signed)) else {
            return;
        };
        made.power = true;
        let point = self.point();
        if token
            .text
            .starts_with(|c: char| c.is_ascii_digit() || c == point)
        {
            made.floating |= token.text.contains(point);
            return;
        }
        made.floating |= token.kind == Kind::Word && self.places(token) > Some(0);
    }
}

fn is_operator(token: &Token) -> bool {
    matches!(&*token.text, "+" | "-" | "*" | "/" | "**")
}

/// The place of the parenthesis that belongs to this one.
fn closed(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Period => return at,
            _ => continue,
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

/// The name of the receiver in front of ROUNDED: `A OF B (1)`.
fn name_before(receivers: &[Token]) -> Option<&Token> {
    let mut rest = receivers;
    if rest.last().is_some_and(|t| t.kind == Kind::Close) {
        let open = rest.iter().rposition(|t| t.kind == Kind::Open)?;
        rest = &rest[..open];
    }
    while let [before @ .., _, joined, _] = rest
        && joined.is_any(&["OF", "IN"])
    {
        rest = &rest[..before.len() + 1];
    }
    rest.last().filter(|t| t.kind == Kind::Word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;
    use crate::token::Session;

    const DATA: &str = "DATA DIVISION.\n WORKING-STORAGE SECTION.\n 01 G.\n 05 A PIC S9(5)V99.\n \
        05 E PIC -(5)9.9(3).\n 05 N PIC S9(3).\n 05 H PIC 9V9.\n 05 T PIC S9V9 OCCURS 3.\n \
        05 D PIC Z(3).99-.\n \
        05 L PIC S9(13)V99 COMP-3.\n 05 F COMP-1.\n 05 B PIC S9(5) COMP.\n \
        PROCEDURE DIVISION.\n";

    fn said(statement: &str) -> String {
        let mut session = Session::default();
        let text = format!("{DATA} {statement}");
        let tokens = begin_with_zero(lex(&text, 0, Some(true), &mut session).tokens);
        let start = tokens.iter().rposition(|t| t.is("COMPUTE")).unwrap();
        let words: Vec<&str> = tokens[start + 1..].iter().map(|t| &*t.text).collect();
        words.join(" ")
    }

    #[test]
    fn rounded_receivers_give_inner_quotients_a_place_more() {
        assert_eq!(
            said("COMPUTE A ROUNDED = A / N * A."),
            "A ROUNDED = ( 0.000 + ZERO ) + A / N * A ."
        );
        assert_eq!(
            said("COMPUTE E OF G ROUNDED A = - (A / N) * A END-COMPUTE"),
            "E OF G ROUNDED A = ( 0.0000 + ZERO ) + - ( A / N ) * A END-COMPUTE"
        );
        assert_eq!(
            said("COMPUTE T (N) ROUNDED = A / T (1) * 2 MOVE A TO E."),
            "T ( N ) ROUNDED = ( 0.00 + ZERO ) + A / T ( 1 ) * 2 MOVE A TO E ."
        );
        assert_eq!(
            said("COMPUTE D ROUNDED = A / N * A."),
            "D ROUNDED = ( 0.000 + ZERO ) + A / N * A .",
            "a sign behind the digits is no decimal place"
        );
        for as_it_is in [
            "L = L * L .",
            "L = F * L * L / L .",
            "A ROUNDED = A / N .",
            "A ROUNDED = A * N + A .",
            "A = A / N * A .",
            "A ROUNDED = N IF A = A / N * N CONTINUE .",
        ] {
            assert_eq!(said(&format!("COMPUTE {as_it_is}")), as_it_is);
        }
    }

    #[test]
    fn a_power_is_not_the_last_operation() {
        assert_eq!(said("COMPUTE A = A ** 2."), "A = ( 0 + ZERO ) + A ** 2 .");
        assert_eq!(said("COMPUTE A = A ** N."), "A = ( 0 + ZERO ) + A ** N .");
        assert_eq!(
            said("COMPUTE A ROUNDED = A ** (N + 1)."),
            "A ROUNDED = ( 0.000 + ZERO ) + A ** ( N + 1 ) ."
        );
        // A sign counts in front of the power.
        assert_eq!(
            said("COMPUTE A = - A ** 2."),
            "A = ( 0 + ZERO ) + - A ** 2 ."
        );
        assert_eq!(said("COMPUTE A = + A ** 2."), "A = ( 0 + ZERO ) + A ** 2 .");
    }

    #[test]
    fn more_digits_than_are_kept_are_known_from_the_beginning() {
        for long in [
            "L * L * N .",
            "L * A * B / 1 .",
            "B * FUNCTION MOD ( A N ) + 12.3 .",
        ] {
            let wanted = format!("L = ( 0 + ZERO ) + {long}");
            assert_eq!(said(&format!("COMPUTE L = {long}")), wanted);
        }
        assert_eq!(
            said("COMPUTE L ROUNDED = L * L - N ."),
            "L ROUNDED = ( 0.000 + ZERO ) + L * L - N ."
        );
        assert_eq!(said("COMPUTE L = L * B * N ."), "L = L * B * N .");
    }

    #[test]
    fn floating_point_is_known_from_the_beginning() {
        let floats = "FUNCTION SQRT ( 0 ) +";
        for floating in [
            "A / N * FUNCTION SQRT ( A ) .",
            "A / N * A ** 0.5 .",
            "A / N * A ** H .",
        ] {
            let wanted = format!("A ROUNDED = {floats} {floating}");
            assert_eq!(said(&format!("COMPUTE A ROUNDED = {floating}")), wanted);
        }
        let plain = "A = A * FUNCTION SQRT ( A / N ) .";
        assert_eq!(said(&format!("COMPUTE {plain}")), plain);
    }
}
