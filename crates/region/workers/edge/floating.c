/* COMP-1 and COMP-2 as Enterprise COBOL converts them: rounded on their way to fixed point, with
 * nine or eighteen significant digits, and compared in long form.
 *
 * Why: libcob cuts where the mainframe rounds, and takes numbers that are nearly the same for
 * equal. What: replacements for the libcob functions that move, compute and compare, as far as a
 * floating-point number takes part; all else goes on to libcob. Sources: "Conversions and
 * precision", "Floating-point data and intermediate results" and the ROUNDED phrase in the public
 * Enterprise COBOL documentation. Not here: hexadecimal floating point. The format is IEEE's. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_DIGITS 9  /* significant digits of COMP-1 in fixed point */
#define LONG_DIGITS 18  /* and of COMP-2 */
#define BINARY_DIGITS 19
#define MAX_FLOATING 64

/* For one conversion at a time. */
static cob_decimal scratch;

/* Decimals of the statement in progress that came from floating point, with their significant
 * digits. */
static struct {
	const cob_decimal *of;
	int digits;
} floating[MAX_FLOATING];
struct txm_floating txm_floating;

/* For one power at a time: libcob leaves something else in the exponent of a negative one, which
 * may be a literal of the program. */
static cob_decimal exponent;

void txm_floating_start(void)
{
	txm_cob.decimal_init(&scratch);
	txm_cob.decimal_init(&exponent);
}

int txm_floating_digits(const cob_decimal *value)
{
	int i;

	for (i = 0; i < txm_floating.count; i++)
		if (floating[i].of == value)
			return floating[i].digits;
	return 0;
}

/* 0 digits: it is fixed point from now on. */
static void note_floating(const cob_decimal *value, int digits)
{
	int i;

	for (i = 0; i < txm_floating.count && floating[i].of != value; i++)
		;
	if (i == txm_floating.count) {
		if (!digits)
			return;
		if (txm_floating.count < MAX_FLOATING)
			txm_floating.count++;
		else
			i = 0;
	}
	floating[i].of = value;
	floating[i].digits = digits;
}

static int is_short(const cob_field *field)
{
	return COB_FIELD_TYPE(field) == COB_TYPE_NUMERIC_FLOAT;
}

static double float_value(const cob_field *field)
{
	double value;
	float narrow;

	if (is_short(field)) {
		memcpy(&narrow, field->data, sizeof narrow);
		return narrow;
	}
	memcpy(&value, field->data, sizeof value);
	return value;
}

static int store_float(const cob_decimal *value, cob_field *to)
{
	double wide;
	float narrow;

	if (!txm_nearest(value, &wide, &narrow) || !isfinite(is_short(to) ? (double)narrow : wide))
		return 0;
	if (is_short(to))
		memcpy(to->data, &narrow, sizeof narrow);
	else
		memcpy(to->data, &wide, sizeof wide);
	return 1;
}

/* A field in long form. */
static int value_of(cob_field *field, double *value)
{
	if (txm_is_float(field))
		*value = float_value(field);
	else {
		txm_cob.decimal_set_field(&scratch, field);
		if (!txm_nearest(&scratch, value, NULL))
			return 0;
	}
	return !isnan(*value);
}

/* Digits of a receiver that a MOVE may fill: without truncation to the PICTURE all that its bytes
 * can hold. */
static int receiver_digits(const cob_field *to)
{
	switch (COB_FIELD_TYPE(to)) {
	case COB_TYPE_NUMERIC_BINARY:
		return to->attr->flags & COB_FLAG_BINARY_TRUNC ? to->attr->digits : BINARY_DIGITS;
	case COB_TYPE_NUMERIC_COMP5:
		return BINARY_DIGITS;
	default:
		return to->attr->digits;
	}
}

static void move_to_fixed(const cob_field *from, cob_field *to)
{
	char digits[TXM_DIGITS + 2];
	unsigned char data[TXM_DIGITS + 1];
	cob_field_attr attr = {COB_TYPE_NUMERIC_DISPLAY, TXM_DIGITS, (short)txm_places(to),
		COB_FLAG_HAVE_SIGN | COB_FLAG_SIGN_SEPARATE | COB_FLAG_SIGN_LEADING, NULL};
	cob_field exact = {sizeof data, data, &attr};
	struct txm_number n = {digits, 0};
	double value = float_value(from);
	int room = receiver_digits(to);
	int i, at;

	txm_expand(value, digits, &n.scale);
	txm_round_to(&n, txm_last_place(&n, is_short(from) ? SHORT_DIGITS : LONG_DIGITS, attr.scale));
	data[0] = value < 0 && strspn(digits, "0") < strlen(digits) ? '-' : '+';
	for (i = 0; i < TXM_DIGITS; i++) {
		at = (int)strlen(digits) - 1 - (i - (attr.scale - n.scale));
		data[TXM_DIGITS - i] = i < room && at >= 0 && at < (int)strlen(digits) ? (unsigned char)digits[at] : '0';
	}
	txm_move(&exact, to);
}

static int is_fixed(const cob_field *field)
{
	switch (COB_FIELD_TYPE(field)) {
	case COB_TYPE_NUMERIC_DISPLAY:
	case COB_TYPE_NUMERIC_BINARY:
	case COB_TYPE_NUMERIC_PACKED:
	case COB_TYPE_NUMERIC_COMP5:
		return 1;
	default:
		return 0;
	}
}

/* A MOVE with floating point on one side; 0: it is libcob's. */
int txm_move_floating(cob_field *from, cob_field *to)
{
	float narrow;
	double wide;

	if (txm_is_float(from)) {
		if (!isfinite(float_value(from)))
			return 0;
		if (is_fixed(to) || COB_FIELD_TYPE(to) == COB_TYPE_NUMERIC_EDITED) {
			move_to_fixed(from, to);
			return 1;
		}
		if (!txm_is_float(to) || is_short(to) == is_short(from))
			return 0;
		wide = float_value(from);
		narrow = (float)wide;
		if (!isfinite(narrow) && is_short(to))
			return 0;
		memcpy(to->data, is_short(to) ? (void *)&narrow : (void *)&wide, to->size);
		return 1;
	}
	if (!txm_is_float(to) || !is_fixed(from))
		return 0;
	txm_cob.decimal_set_field(&scratch, from);
	return store_float(&scratch, to);
}

/* An operand of a computation. 0: it is not floating point, and left to the caller. */
int txm_set_floating(cob_decimal *to, cob_field *from)
{
	char digits[TXM_DIGITS + 2];
	int scale;

	txm_note_operand(to, COB_FIELD_DIGITS(from) - COB_FIELD_SCALE(from), 0);
	if (!txm_is_float(from) || !isfinite(float_value(from))) {
		note_floating(to, from == txm_floating.answer ? LONG_DIGITS : 0);
		return 0;
	}
	txm_expand(float_value(from), digits, &scale);
	txm_set_decimal(to, digits, scale, float_value(from) < 0);
	note_floating(to, is_short(from) ? SHORT_DIGITS : LONG_DIGITS);
	return 1;
}

/* A result of floating point is always rounded. */
int txm_store_floating(cob_decimal *value, cob_field *to, int options, int *answer)
{
	char room[TXM_TEXT_ROOM];
	int digits = txm_floating.count ? txm_floating_digits(value) : 0;
	struct txm_number n;
	char *text;
	int negative, place;

	if (txm_is_float(to))
		return *answer = 0, store_float(value, to);
	if (!digits || !(text = txm_digits_of(value, room)))
		return 0;
	negative = text[0] == '-';
	n.digits = text + negative;
	n.scale = value->scale;
	place = txm_last_place(&n, digits, txm_places(to));
	if (n.scale > place) {
		txm_round_to(&n, place);
		txm_cob.mpz_from_text(scratch.value, text, 10);
		scratch.scale = n.scale;
		*answer = txm_get_field(&scratch, to, options & ~COB_STORE_ROUND);
	} else
		*answer = txm_get_field(value, to, options);
	if (text != room)
		free(text);
	return 1;
}

/* Short form stays short in sums and quotients of short forms; everything else is long. */
static void combine(const cob_decimal *to, const cob_decimal *other, int may_be_short)
{
	int a, b;

	if (!txm_floating.count)
		return;
	a = txm_floating_digits(to);
	b = txm_floating_digits(other);
	if (a || b)
		note_floating(to, may_be_short && a == SHORT_DIGITS && b == SHORT_DIGITS ? SHORT_DIGITS : LONG_DIGITS);
}

void cob_decimal_add(cob_decimal *to, cob_decimal *other)
{
	combine(to, other, 1);
	txm_note_operation(to, other, TXM_SUM);
	txm_cob.decimal_add(to, other);
}

void cob_decimal_sub(cob_decimal *to, cob_decimal *other)
{
	combine(to, other, 1);
	txm_note_operation(to, other, TXM_SUM);
	txm_cob.decimal_sub(to, other);
}

void cob_decimal_mul(cob_decimal *to, cob_decimal *other)
{
	combine(to, other, 0);
	txm_note_operation(to, other, TXM_PRODUCT);
	txm_cob.decimal_mul(to, other);
}

/* Of a negative power libcob comes here too. */
void cob_decimal_div(cob_decimal *to, cob_decimal *other)
{
	if (txm_floating.raising) {
		txm_cob.decimal_div(to, other);
		return;
	}
	combine(to, other, 1);
	txm_note_operation(to, other, TXM_QUOTIENT);
	txm_cob.decimal_div(to, other);
}

/* Powers that are none are a size error. Without that phrase 0 ** 0 is 1, and of a negative number
 * the number without its sign is taken (APAR PH53914). */
static void look_at_power(cob_decimal *base, const cob_decimal *exponent)
{
	char room[TXM_TEXT_ROOM];
	char *text;

	if (!mpz_sgn(base->value))
		txm_floating.no_power |= mpz_sgn(exponent->value) <= 0;
	if (mpz_sgn(base->value) >= 0 || !txm_has_fraction(exponent) || !(text = txm_digits_of(base, room)))
		return;
	txm_cob.mpz_from_text(base->value, text + 1, 10);
	txm_floating.no_power = 1;
	if (text != room)
		free(text);
}

void cob_decimal_pow(cob_decimal *to, cob_decimal *other)
{
	/* Functions raise too: nothing is cut of that. */
	if (!txm_in_module_text((uintptr_t)__builtin_return_address(0))) {
		txm_cob.decimal_pow(to, other);
		return;
	}
	look_at_power(to, other);
	/* An exponent with decimal places makes floating point of the expression. */
	if (other->scale > 0)
		note_floating(to, LONG_DIGITS);
	else
		combine(to, other, 0);
	txm_note_operation(to, other, TXM_POWER);
	txm_copy_decimal(&exponent, other);
	txm_floating.raising = 1;
	txm_cob.decimal_pow(to, &exponent);
	txm_floating.raising = 0;
}

static int order(double a, double b)
{
	return a < b ? -1 : a > b;
}

int cob_decimal_cmp(cob_decimal *a, cob_decimal *b)
{
	double x, y;

	if (txm_floating.count && (txm_floating_digits(a) || txm_floating_digits(b))
	 && txm_nearest(a, &x, NULL) && txm_nearest(b, &y, NULL))
		return order(x, y);
	return txm_cob.decimal_cmp(a, b);
}

/* Compares where one of the two is floating point; 0: libcob does. */
int txm_compare_floating(cob_field *a, cob_field *b, int *answer)
{
	double x, y;

	if ((!txm_is_float(a) && !txm_is_float(b)) || !value_of(a, &x) || !value_of(b, &y))
		return 0;
	*answer = order(x, y);
	return 1;
}

int cob_cmp_float(cob_field *a, cob_field *b)
{
	int answer;

	return txm_compare_floating(a, b, &answer) ? answer : txm_cob.cmp_float(a, b);
}

/* A floating-point number against a whole one; 0: libcob does it. */
int txm_compare_number(cob_field *field, cob_s64_t number, int *answer)
{
	if (!txm_is_float(field) || isnan(float_value(field)))
		return 0;
	*answer = order(float_value(field), (double)number);
	return 1;
}

static void note_answer(const cob_field *answer)
{
	txm_floating.answer = answer;
	txm_floating.last[txm_floating.answers++ % TXM_ANSWERS] = answer;
}

int txm_is_answer(const cob_field *field)
{
	int i = txm_floating.answers < TXM_ANSWERS ? txm_floating.answers : TXM_ANSWERS;

	while (--i >= 0 && txm_floating.last[i] != field)
		;
	return i >= 0;
}

/* Functions that answer floating point: what a statement makes of it is rounded. */
#define FUNCTION(name, parameters, arguments) \
	cob_field *cob_intr_##name parameters \
	{ \
		cob_field *answer = txm_cob.name arguments; \
		note_answer(answer); \
		return answer; \
	}
#define FUNCTION_OF_ONE(name) FUNCTION(name, (cob_field *a), (txm_amount(#name, a, NULL)))
#define FUNCTION_OF_TWO(name) FUNCTION(name, (cob_field *a, cob_field *b), (txm_amount(#name, a, b), b))
TXM_FLOATING_FUNCTIONS
