/* Functions of Enterprise COBOL that GnuCOBOL lacks, and RANDOM, which has another sequence there.
 *
 * Why here: the translator writes FUNCTION CONCATENATE with a mark and the name of the function as
 * first argument, which leads every such call to the function below, wherever an expression may
 * stand. What a program passes may lie nowhere, so it is reached first, and the function itself
 * (Rust) sees good addresses only. A function whose value is an integer answers a field of that
 * length, of which the program takes FUNCTION LENGTH. Not here: what the functions do. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The mark: no text begins so. */
static const char mark[] = "\0TXMF:";
#define MARK_BYTES (sizeof mark - 1)
#define ARGUMENTS 8
/* Values that one statement may hold at a time. */
#define VALUES 64

static const cob_field_attr text_attr = {COB_TYPE_ALPHANUMERIC, 0, 0, 0, NULL};
/* The same for programs; a function that takes the value knows that it is national. */
static const cob_field_attr national_attr = {COB_TYPE_ALPHANUMERIC, 0, 0, 0, NULL};

static const cob_field_attr double_attr = {COB_TYPE_NUMERIC_DOUBLE, 0, 0, COB_FLAG_HAVE_SIGN, NULL};

static struct value {
	cob_field field;
	unsigned char *bytes;
	size_t room;
} values[VALUES];
static size_t next_value;

/* Called at the start, which also makes the linker take this file. */
void txm_functions_start(void)
{
	next_value = 0;
}

static cob_field *value_of(size_t size, int fill, const cob_field_attr *attr)
{
	struct value *v = &values[next_value++ % VALUES];

	if (v->room <= size && fill) {
		unsigned char *larger = realloc(v->bytes, size + 1);

		if (!larger) {
			txm_check_text("no memory for the value of a function");
			txm_raise(TXM_CHECK_RUNTIME);
			return NULL;
		}
		v->bytes = larger;
		v->room = size + 1;
	}
	v->field.size = size;
	v->field.data = v->bytes ? v->bytes : (unsigned char *)"";
	v->field.attr = attr;
	return &v->field;
}

/* Reference modification of a function: from 1, length 0 is the rest. */
static cob_field *modified(cob_field *f, int offset, int length)
{
	size_t start = offset > 0 ? (size_t)offset - 1 : 0;

	if (offset <= 0)
		return f;
	if (start > f->size)
		start = f->size;
	f->data += start;
	f->size -= start;
	if (length > 0 && (size_t)length < f->size)
		f->size = (size_t)length;
	return f;
}

/* What is no number ends the task (IGZ0152S), where libcob takes 0 for it. Of blanks no public page
 * says that they do. */
static void must_be_number(const char *function, cob_field *amount, cob_field *currency)
{
	const int plain = !strcmp(function, "numval"), scientific = !strcmp(function, "numval_f");
	char text[160];
	int64_t at = 0;
	size_t i;

	for (i = 0; i < amount->size && amount->data[i] == ' '; i++)
		;
	if (i == amount->size || (!plain && !scientific && strcmp(function, "numval_c") != 0))
		return;
	txm_get_number(plain ? txm_cob.test_numval(amount) : scientific ? txm_cob.test_numval_f(amount)
		: txm_cob.test_numval_c(amount, currency), &at);
	if (!at)
		return;
	snprintf(text, sizeof text, "4038 argument 1 of FUNCTION NUMVAL%s is no number: '%.*s', position %d",
		plain ? "" : scientific ? "-F" : "-C", (int)(amount->size < 40 ? amount->size : 40),
		(const char *)amount->data, (int)at);
	txm_check_text(text);
	txm_raise(TXM_CHECK_ABEND);
}

/* The argument of NUMVAL and NUMVAL-C as libcob understands it: it takes CR and DB for nothing, and
 * a currency sign of several characters for an error. Numbers stay as they are. */
cob_field *txm_amount(const char *function, cob_field *text, cob_field *currency)
{
	static unsigned char room[256];
	static cob_field amount;
	size_t size = text->size, sign, i;

	if (COB_FIELD_IS_NUMERIC(text) || size > sizeof room)
		return text;
	while (size && text->data[size - 1] == ' ')
		size--;
	sign = currency && !COB_FIELD_IS_NUMERIC(currency) ? currency->size : 0;
	memcpy(room, text->data, text->size);
	if (size >= 2 && (!strncasecmp((char *)room + size - 2, "CR", 2)
	 || !strncasecmp((char *)room + size - 2, "DB", 2)))
		memcpy(room + size - 2, "- ", 2);
	for (i = 0; sign > 1 && i + sign <= size; i++)
		if (!memcmp(room + i, currency->data, sign)) {
			memset(room + i, ' ', sign);
			break;
		}
	amount.size = text->size;
	amount.data = room;
	amount.attr = &text_attr;
	must_be_number(function, &amount, sign == 1 ? currency : NULL);
	return &amount;
}

static cob_field *supplied(const cob_field *name, cob_field **fields, int count)
{
	struct txm_operand operands[ARGUMENTS];
	struct txm_value value = {NULL, 0, 0, ""};
	char text[160];
	cob_field *f;
	int i, was;

	for (i = 0; i < count; i++) {
		struct txm_operand *o = &operands[i];

		o->data = fields[i]->data;
		o->size = fields[i]->size;
		o->national = COB_FIELD_IS_NATIONAL(fields[i]) || fields[i]->attr == &national_attr;
		o->number = 0;
		if (o->size && txm_reach(o->data, o->size, 0) < o->size) {
			snprintf(text, sizeof text, "S0C4 protection exception: argument %d of FUNCTION %.40s lies nowhere",
				i + 1, (const char *)name->data + MARK_BYTES);
			txm_check_text(text);
			txm_raise(TXM_CHECK_RUNTIME);
		}
		if (COB_FIELD_IS_NUMERIC(fields[i]))
			txm_get_number(fields[i], &o->number);
	}
	was = txm_enter();
	txm_function((const char *)name->data + MARK_BYTES, name->size - MARK_BYTES, operands, count, &value);
	txm_leave(was);
	if (value.problem[0]) {
		snprintf(text, sizeof text, "4038 %s", value.problem);
		txm_check_text(text);
		txm_raise(TXM_CHECK_ABEND);
	}
	if (!value.data) /* an integer */
		return value_of(value.size, 0, &text_attr);
	f = value_of(value.size, 1, value.national ? &national_attr : &text_attr);
	if (f)
		memcpy(f->data, value.data, value.size);
	return f;
}

cob_field *cob_intr_concatenate(const int offset, const int length, const int params, ...)
{
	cob_field *fields[ARGUMENTS + 1];
	cob_field *f, *first;
	size_t size = 0;
	va_list args;
	int i;

	va_start(args, params);
	first = va_arg(args, cob_field *);
	if (params <= ARGUMENTS + 1 && first->size > MARK_BYTES && !memcmp(first->data, mark, MARK_BYTES)) {
		for (i = 0; i < params - 1; i++)
			fields[i] = va_arg(args, cob_field *);
		va_end(args);
		return modified(supplied(first, fields, params - 1), offset, length);
	}
	va_end(args);
	va_start(args, params);
	for (i = 0; i < params; i++)
		size += va_arg(args, cob_field *)->size;
	va_end(args);
	f = value_of(size, 1, &text_attr);
	if (!f)
		return f;
	va_start(args, params);
	for (i = 0, size = 0; i < params; i++) {
		const cob_field *from = va_arg(args, cob_field *);

		memcpy(f->data + size, from->data, from->size);
		size += from->size;
	}
	va_end(args);
	return modified(f, offset, length);
}

/* FUNCTION RANDOM. */
cob_field *cob_intr_random(const int params, ...)
{
	int64_t seed = 0;
	double value;
	cob_field *f;
	va_list args;

	if (params > 0) {
		va_start(args, params);
		txm_get_number(va_arg(args, cob_field *), &seed);
		va_end(args);
		if (seed < 0) {
			txm_check_text("4038 the seed of FUNCTION RANDOM is negative");
			txm_raise(TXM_CHECK_ABEND);
		}
		txm_random_seed(seed);
	}
	value = txm_random_next();
	f = value_of(sizeof value, 1, &double_attr);
	if (f)
		memcpy(f->data, &value, sizeof value);
	return f;
}
