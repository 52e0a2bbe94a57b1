/* Intermediate results of fixed-point arithmetic as Enterprise COBOL has them.
 *
 * Why: behind each operation but the last of a statement, the compiler cuts to the most decimal
 * places that the statement's receivers and operands have (dmax; divisors do not count). The
 * mainframe keeps all decimal places of a product, a sum and a difference, of a quotient those of
 * the dividend less those of the divisor, or dmax where that is more, and of a power by a literal
 * what 30 digits leave behind the integer digits that there may be. A power by an item is made
 * by multiplying, and each product is cut to dmax. Where a result may have more than 30 digits, 31
 * with ARITH(EXTEND), decimal places beyond dmax go first, then digits in front. Source:
 * "Fixed-point data and
 * intermediate results" and "Exponentiations evaluated in fixed-point arithmetic" of the Enterprise
 * COBOL programming guide. Not here: floating point, which is not cut (floating.c). */
#include "edge.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS (30 + txm_floating.extended)
#define NOTES 16
#define MOST_TIMES 10000 /* products of one power */
#define MOST_PRODUCT 100 /* digits of one: nothing that is stored has as many */

/* The operation that a decimal is the result of. */
static struct {
	const cob_decimal *of;
	enum txm_operation operation;
	int places; /* of a quotient, of a power that keeps all */
	int whole;  /* integer digits of a power by a literal; 0: by an item */
	int literals; /* both operands */
	cob_decimal *power; /* that nothing has been cut of */
	int base;   /* its base's decimal places */
} last;

/* Decimals of the statement: the integer digits that they may have, and whether they are literals. */
static struct {
	const cob_decimal *of;
	int whole;
	int literal;
} notes[NOTES];

void txm_note_operand(const cob_decimal *to, int whole, int literal)
{
	int i;

	for (i = 0; i < txm_floating.notes && notes[i].of != to; i++)
		;
	if (i == NOTES)
		return;
	if (i == txm_floating.notes)
		txm_floating.notes++;
	notes[i].of = to;
	notes[i].whole = whole;
	notes[i].literal = literal;
}

/* A decimal that nothing is noted of is a literal: the module made it. */
static int operand(const cob_decimal *of, int *literal)
{
	int i;

	for (i = 0; i < txm_floating.notes; i++)
		if (notes[i].of == of) {
			*literal = notes[i].literal;
			return notes[i].whole;
		}
	*literal = 1;
	i = mpz_sgn(of->value) ? (int)txm_cob.mpz_digits(of->value, 10) - of->scale : 1;
	return i > 0 ? i : 0;
}

/* Takes away the digits in front of the last ones. */
static void keep_last(cob_decimal *value, int digits)
{
	char room[TXM_TEXT_ROOM];
	char *text = txm_digits_of(value, room);
	char *begin = text;
	size_t length;

	if (!text)
		return;
	length = strlen(text + (*text == '-'));
	if (length > (size_t)digits) {
		begin += length - (size_t)digits;
		if (*text == '-')
			*begin = '-';
		txm_cob.mpz_from_text(value->value, begin, 10);
	}
	if (text != room)
		free(text);
}

/* An intermediate result that may have more digits than are kept, in a statement whose dmax is
 * known: COMPUTE, where computed.rs of the translator counts more. */
static void keep_most(cob_decimal *value)
{
	const int dmax = txm_floating.dmax - 1;
	int i, places = value->scale > 0 ? value->scale : 0;

	if (dmax < 0 || txm_floating.count)
		return;
	for (i = 0; i < txm_floating.notes && notes[i].of != value; i++)
		;
	if (i == txm_floating.notes || notes[i].whole + places <= MOST_DIGITS)
		return;
	if (places > dmax) {
		places = notes[i].whole + dmax <= MOST_DIGITS ? MOST_DIGITS - notes[i].whole : dmax;
		txm_cob.decimal_align(value, places);
	}
	if (notes[i].whole + places > MOST_DIGITS)
		keep_last(value, MOST_DIGITS);
	notes[i].whole = MOST_DIGITS - places;
}

/* A power by an item: its base, and how often it is taken. */
static struct {
	cob_decimal base, product;
	int ready;
	long times; /* 0: there is nothing to multiply */
} raised;

static void keep_base(const cob_decimal *base, long times)
{
	if (!raised.ready) {
		txm_cob.decimal_init(&raised.base);
		txm_cob.decimal_init(&raised.product);
		raised.ready = 1;
	}
	if (times > MOST_TIMES || times < -MOST_TIMES)
		return;
	txm_copy_decimal(&raised.base, base);
	raised.times = times;
}

/* Multiplies the base by itself, each product cut; beyond the bounds the power stays as it is. */
static void multiply(cob_decimal *power, int dmax)
{
	const long times = raised.times < 0 ? -raised.times : raised.times;
	long i;

	txm_copy_decimal(&raised.product, &raised.base);
	for (i = 1; i < times; i++) {
		txm_cob.decimal_mul(&raised.product, &raised.base);
		if (raised.product.scale > dmax)
			txm_cob.decimal_align(&raised.product, dmax);
		if (txm_cob.mpz_digits(raised.product.value, 10) > MOST_PRODUCT)
			return;
	}
	if (raised.times < 0) {
		txm_cob.decimal_set_llint(power, 1);
		txm_cob.decimal_div(power, &raised.product);
	} else
		txm_copy_decimal(power, &raised.product);
}

/* Of a power by a literal, d and i of the guide; the base has not been raised yet. */
static void note_power(const cob_decimal *base, const cob_decimal *exponent, int whole, int literal)
{
	char room[TXM_TEXT_ROOM];
	char *text = exponent->scale == 0 ? txm_digits_of(exponent, room) : NULL;
	const long times = text ? strtol(text, NULL, 10) : 0;

	last.whole = 0;
	last.base = base->scale > 0 ? base->scale : 0;
	raised.times = 0;
	if (!literal)
		keep_base(base, times);
	else if (times > 0 && times <= MOST_DIGITS * MOST_DIGITS) {
		last.whole = (int)times * (whole ? whole : 1);
		last.places = (int)times * (base->scale > 0 ? base->scale : 0);
	}
	if (text != room)
		free(text);
}

/* A program does not always have a power cut: not by a binary item, and not in front of a literal. */
static void cut_power(void)
{
	if (txm_floating.operations && last.power)
		cob_decimal_align(last.power, last.base);
	last.power = NULL;
}

void txm_note_operation(cob_decimal *to, cob_decimal *other, enum txm_operation operation)
{
	int literal, other_literal, is_number;
	int whole, more;

	cut_power();
	keep_most(to);
	keep_most(other);
	whole = operand(to, &literal);
	more = operand(other, &other_literal);
	last.of = to;
	last.operation = operation;
	last.literals = literal && other_literal;
	txm_floating.operations++;
	switch (operation) {
	case TXM_SUM:
		/* A literal and ZERO: see quotients.rs of the translator. */
		is_number = literal && other_literal && !mpz_sgn(other->value);
		txm_note_operand(to, is_number ? whole : (whole > more ? whole : more) + 1, is_number);
		return;
	case TXM_PRODUCT:
		whole += more;
		break;
	case TXM_QUOTIENT:
		last.places = to->scale - other->scale;
		whole += other->scale > 0 ? other->scale : 0;
		break;
	case TXM_POWER:
		note_power(to, other, whole, other_literal);
		last.power = to;
		whole = last.whole ? last.whole : MOST_DIGITS;
		break;
	}
	txm_note_operand(to, whole, 0);
}

/* Decimal places of a power. */
static int power_places(int dmax)
{
	if (!last.whole)
		return dmax;
	if (last.whole + last.places <= MOST_DIGITS || last.places <= dmax)
		return last.places;
	return last.whole + dmax <= MOST_DIGITS ? MOST_DIGITS - last.whole : dmax;
}

/* Of a power the program tells the places of its base, of a sum with ZERO dmax; in front of a
 * COMPUTE with a power there is such a sum (computed.rs of the translator). */
static int dmax_of_power(int told)
{
	return txm_floating.dmax ? txm_floating.dmax - 1 : told;
}

/* Digits of a binary item of so many bytes. */
static int binary_digits(int bytes)
{
	return bytes <= 2 ? 4 : bytes <= 4 ? 9 : 18;
}

/* Called by programs for a binary item of so many bytes that is an operand (flags.rs of the
 * translator). */
void TXMOPERAND(void *operand, int bytes)
{
	txm_note_operand(operand, binary_digits(bytes), 0);
}

/* Called by programs with ARITH(EXTEND) in front of the next (flags.rs of the translator). */
void TXMEXTEND(void)
{
	txm_floating.extended = 1;
}

/* Called by programs with dmax, or the places that they think the result has. */
void cob_decimal_align(cob_decimal *value, const int dmax)
{
	int places = dmax;

	/* The zero in front, with a literal behind it where that follows. */
	if (last.of == value && last.operation == TXM_SUM
	 && (txm_floating.operations == 1 || (txm_floating.operations == 2 && last.literals)))
		txm_floating.dmax = dmax + 1;
	/* Where one operand is floating point, all are. */
	if (last.of != value || last.operation == TXM_SUM || last.operation == TXM_PRODUCT
	 || txm_floating.count)
		return;
	if (last.operation == TXM_POWER) {
		last.power = NULL;
		places = power_places(dmax_of_power(dmax));
		if (raised.times)
			multiply(value, places);
	} else if (last.places > places)
		places = last.places;
	if (value->scale > places)
		txm_cob.decimal_align(value, places);
}

/* Where the quotient does not fit, and ON SIZE ERROR asks, the remainder stays what it is too. */
static int no_remainder;

void cob_div_quotient(cob_field *dividend, cob_field *divisor, cob_field *quotient, const int options)
{
	txm_cob.div_quotient(dividend, divisor, quotient, options);
	no_remainder = options & COB_STORE_KEEP_ON_OVERFLOW && txm_cob.global->cob_exception_code;
}

void cob_div_remainder(cob_field *remainder, const int options)
{
	if (!no_remainder)
		txm_cob.div_remainder(remainder, options);
}

void cob_decimal_set_llint(cob_decimal *to, const cob_s64_t number)
{
	cob_u64_t rest = number < 0 ? -(cob_u64_t)number : (cob_u64_t)number;
	int digits = 1;

	for (; rest > 9; rest /= 10)
		digits++;
	txm_note_operand(to, digits, 1);
	txm_cob.decimal_set_llint(to, number);
}
