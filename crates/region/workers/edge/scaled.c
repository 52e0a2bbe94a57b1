/* Items whose PICTURE has P: how many digits they hold.
 *
 * Why: cobc counts each P as a digit of the item, and libcob finds the digits of a packed item, and
 * those of a zoned one that becomes packed, by that count: 12300 in S9(3)PP COMP-3 came out as
 * X'001C'. What: the same item with the digits that lie in it. Not here: binary items, which libcob
 * reads as a whole. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

/* One statement looks at a few items at a time. */
#define VIEWS 8
/* Digits of a fullword of eight bytes. */
#define WHOLE_DIGITS 20

cob_field *txm_scaled(cob_field *field)
{
	static struct {
		cob_field field;
		cob_field_attr attr;
	} views[VIEWS];
	static unsigned next;
	const cob_field_attr *attr = field->attr;
	const int packed = attr->type == COB_TYPE_NUMERIC_PACKED;
	int held = (int)field->size - (COB_FIELD_SIGN_SEPARATE(field) ? 1 : 0);

	if ((!packed && attr->type != COB_TYPE_NUMERIC_DISPLAY) || !field->size)
		return field;
	if (packed) {
		if (COB_FIELD_NO_SIGN_NIBBLE(field))
			return field;
		held = attr->scale < 0 ? attr->digits + attr->scale : (int)field->size * 2 - 1;
	}
	if (held <= 0 || held >= attr->digits)
		return field;
	next = (next + 1) % VIEWS;
	views[next].attr = *attr;
	views[next].attr.digits = (unsigned short)held;
	views[next].field = *field;
	views[next].field.attr = &views[next].attr;
	return &views[next].field;
}

/* A packed or binary number into a packed item with P, by way of its digits; 0: libcob does it. */
int txm_move_scaled(cob_field *from, cob_field *to)
{
	unsigned char digits[TXM_DIGITS];
	cob_field_attr attr = {COB_TYPE_NUMERIC_DISPLAY, from->attr->digits, from->attr->scale,
		COB_FIELD_HAVE_SIGN(from) ? COB_FLAG_HAVE_SIGN : 0, NULL};
	cob_field zoned = {0, digits, &attr};

	if (COB_FIELD_TYPE(from) != COB_TYPE_NUMERIC_PACKED && COB_FIELD_TYPE(from) != COB_TYPE_NUMERIC_BINARY)
		return 0;
	if (COB_FIELD_TYPE(from) == COB_TYPE_NUMERIC_BINARY)
		attr.digits = WHOLE_DIGITS;
	zoned.size = attr.digits;
	txm_cob.move(from, &zoned);
	txm_cob.move(&zoned, to);
	return 1;
}

/* Adds to a packed item with P, whose last digit libcob takes for units. */
int txm_add_scaled(cob_field *field, cob_s64_t number, int options)
{
	static cob_decimal sum, more;
	static int ready;
	char digits[24];

	if (!ready) {
		txm_cob.decimal_init(&sum);
		txm_cob.decimal_init(&more);
		ready = 1;
	}
	snprintf(digits, sizeof digits, "%lld", (long long)(number < 0 ? -number : number));
	txm_cob.decimal_set_field(&sum, field);
	txm_set_decimal(&more, digits, 0, number < 0);
	txm_cob.decimal_add(&sum, &more);
	return txm_cob.decimal_get_field(&sum, field, options);
}
