/* Numeric-edited items, edited by the rules of Enterprise COBOL.
 *
 * Why: libcob counts a fixed currency sign, and the first symbol of a floating string, as a digit,
 * so that digits that the item has no room for come out as more zeros or in the place of a sign; a
 * sign in front of a currency sign comes out wrong, and a solidus inside a suppressed string stays.
 * What: the number is cut to the digits of the PICTURE, then written symbol by symbol. Source:
 * "PICTURE clause editing" of the language reference. A number whose digits are all zero has no
 * sign. Not here: which bytes are a number (zoned.c), alphanumeric-edited items, which are
 * libcob's. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <string.h>

#define MOST_SYMBOLS 256

/* A PICTURE, one symbol a place, and how they are meant. */
struct picture {
	char symbols[MOST_SYMBOLS];
	int count;
	char floats;   /* the symbol that floats, or 0 */
	char fill;     /* what takes the place of zeros */
	char point, currency;
	int digits;    /* places for digits */
	int kept;      /* of them, those that no zero is suppressed in */
	int scale;     /* cobc's own is 0 where all digits are of a floating currency sign */
};

static int is_one_of(char c, const char *list)
{
	return c && strchr(list, c) != NULL;
}

static void count_digits(struct picture *p)
{
	int floated = 0, behind = 0;
	int i, digit;

	for (i = 0; i < p->count; i++) {
		const char c = p->symbols[i];

		digit = is_one_of(c, "9Z*") || (c == p->floats && floated);
		floated |= c == p->floats;
		behind |= c == p->point || c == 'V' || (c == 'P' && !p->digits);
		p->kept += c == '9';
		p->digits += digit;
		if (behind)
			p->scale += digit || c == 'P';
		else
			p->scale -= c == 'P';
	}
}

/* 0: it is longer than any can be. */
static int expand(const cob_field *to, struct picture *p)
{
	const cob_module *module = txm_cob.global->cob_current_module;
	const cob_pic_symbol *s;
	int plus = 0, minus = 0, currency = 0;

	memset(p, 0, sizeof *p);
	p->point = (char)module->decimal_point;
	p->currency = (char)module->currency_symbol;
	p->fill = ' ';
	for (s = to->attr->pic; s && s->symbol; s++) {
		if (s->times_repeated > MOST_SYMBOLS - p->count)
			return 0;
		memset(p->symbols + p->count, s->symbol, (size_t)s->times_repeated);
		p->count += s->times_repeated;
		plus += s->symbol == '+' ? s->times_repeated : 0;
		minus += s->symbol == '-' ? s->times_repeated : 0;
		currency += s->symbol == p->currency ? s->times_repeated : 0;
		if (s->symbol == '*')
			p->fill = '*';
	}
	p->floats = plus > 1 ? '+' : minus > 1 ? '-' : currency > 1 ? p->currency : 0;
	count_digits(p);
	return p->count > 0 && p->digits > 0 && p->digits <= TXM_DIGITS;
}

/* Decimal places of a receiver. */
int txm_places(const cob_field *to)
{
	struct picture p;

	return COB_FIELD_TYPE(to) == COB_TYPE_NUMERIC_EDITED && expand(to, &p) ? p.scale : COB_FIELD_SCALE(to);
}

/* What is written so far. */
struct writing {
	unsigned char *to, *end;
	int significant; /* no zero is suppressed any more */
	int inside;      /* a symbol of suppression has been there */
	int floated;     /* the first symbol that floats has been there */
};

static void put(struct writing *w, char c)
{
	if (w->to < w->end)
		*w->to++ = (unsigned char)c;
}

/* From here on digits count; what floats stands in front of them. */
static void begin(struct writing *w, const struct picture *p, int negative)
{
	if (!w->significant && w->floated)
		w->to[-1] = (unsigned char)(p->floats == p->currency ? p->currency
			: negative ? '-' : p->floats == '+' ? '+' : ' ');
	w->significant = 1;
}

static void put_digit(struct writing *w, const struct picture *p, char digit, int negative)
{
	w->inside = 1;
	if (digit != '0')
		begin(w, p, negative);
	put(w, w->significant ? digit : p->fill);
}

static void put_symbol(struct writing *w, const struct picture *p, char c, const char **digits,
	int negative)
{
	if (c == '9') {
		begin(w, p, negative);
		put(w, *(*digits)++);
	} else if (c == 'Z' || c == '*')
		put_digit(w, p, *(*digits)++, negative);
	else if (c == p->floats && !w->floated) {
		w->floated = w->inside = 1;
		put(w, ' ');
	} else if (c == p->floats)
		put_digit(w, p, *(*digits)++, negative);
	else if (c == p->point || c == 'V') {
		begin(w, p, negative);
		if (c != 'V')
			put(w, c);
	} else if (c == p->currency)
		put(w, c);
	else if (c == '+' || c == '-')
		put(w, negative ? '-' : c == '+' ? '+' : ' ');
	else if (c == 'C' || c == 'D') {
		put(w, negative ? c : ' ');
		put(w, !negative ? ' ' : c == 'C' ? 'R' : 'B');
	} else if (is_one_of(c, "B0/.,"))
		put(w, w->inside && !w->significant ? p->fill : c == 'B' ? ' ' : c);
}

static void edit(const struct picture *p, cob_field *to, const char *digits, int negative)
{
	const int zero = digits[strspn(digits, "0")] == 0;
	struct writing w = {to->data, to->data + to->size, 0, 0, 0};
	int i;

	if (zero && (COB_FIELD_BLANK_ZERO(to) || !p->kept)) {
		memset(to->data, COB_FIELD_BLANK_ZERO(to) ? ' ' : p->fill, to->size);
		/* Of asterisks all but the decimal point. */
		for (i = 0; p->fill == '*' && !COB_FIELD_BLANK_ZERO(to) && i < p->count; i++)
			if (p->symbols[i] == p->point)
				to->data[i] = (unsigned char)p->point;
		return;
	}
	for (i = 0; i < p->count; i++)
		put_symbol(&w, p, p->symbols[i], &digits, negative && !zero);
	while (w.to < w.end)
		put(&w, ' ');
}

/* The number that an edited item has room for, as digits with a sign in front. */
struct cut {
	unsigned char data[TXM_DIGITS + 2];
	cob_field_attr attr;
	cob_field field;
};

static void make_cut(struct cut *cut, const struct picture *p)
{
	memset(cut, 0, sizeof *cut);
	cut->attr.type = COB_TYPE_NUMERIC_DISPLAY;
	cut->attr.digits = (unsigned short)p->digits;
	cut->attr.scale = (short)p->scale;
	cut->attr.flags = COB_FLAG_HAVE_SIGN | COB_FLAG_SIGN_SEPARATE | COB_FLAG_SIGN_LEADING;
	cut->field.size = (size_t)p->digits + 1;
	cut->field.data = cut->data;
	cut->field.attr = &cut->attr;
}

static int is_zero(const cob_field *from)
{
	return COB_FIELD_TYPE(from) == COB_TYPE_ALPHANUMERIC_ALL && from->size == 1 && *from->data == '0';
}

/* A MOVE; 0: it is not from a number to an edited item. */
int txm_edit(cob_field *from, cob_field *to)
{
	unsigned char digits[TXM_DIGITS + 1];
	cob_field_attr attr = {COB_TYPE_NUMERIC_DISPLAY, TXM_DIGITS, COB_FIELD_SCALE(from),
		COB_FLAG_HAVE_SIGN | COB_FLAG_SIGN_SEPARATE | COB_FLAG_SIGN_LEADING, NULL};
	cob_field wide = {sizeof digits, digits, &attr};
	struct picture p;
	struct cut cut;

	if (COB_FIELD_TYPE(to) != COB_TYPE_NUMERIC_EDITED || (!COB_FIELD_IS_NUMERIC(from) && !is_zero(from))
	 || !expand(to, &p))
		return 0;
	make_cut(&cut, &p);
	if (COB_FIELD_TYPE(from) != COB_TYPE_NUMERIC_BINARY && COB_FIELD_TYPE(from) != COB_TYPE_NUMERIC_PACKED)
		txm_cob.move(from, &cut.field);
	else {
		txm_cob.move(from, &wide);
		txm_cob.move(&wide, &cut.field);
	}
	edit(&p, to, (const char *)cut.data + 1, cut.data[0] == '-');
	return 1;
}

/* Stores a result, as libcob's function of the name does. */
int txm_get_field(cob_decimal *value, cob_field *to, int options)
{
	struct picture p;
	struct cut cut;
	int answer;

	if (COB_FIELD_TYPE(to) != COB_TYPE_NUMERIC_EDITED || !expand(to, &p))
		return txm_cob.decimal_get_field(value, to, options);
	make_cut(&cut, &p);
	memset(cut.data, '0', sizeof cut.data - 1);
	answer = txm_cob.decimal_get_field(value, &cut.field, options);
	if (!answer)
		edit(&p, to, (const char *)cut.data + 1, cut.data[0] == '-');
	return answer;
}
