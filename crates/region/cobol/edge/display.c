/* DISPLAY as Enterprise COBOL shows items, and what it needs of numbers.
 *
 * Why: libcob puts a separate sign in front of or behind every signed item, shows binary items with
 * the digits of their bytes and floating point without exponent; programs write their lists by it,
 * and whoever reads SYSOUT knows them by the signs and the widths of z/OS. What: binary and packed
 * items as zoned ones, of the digits of their PICTURE, or with COMP-5 and TRUNC(BIN) those of their
 * bytes; a negative sign over the last digit (DISPSIGN(COMPAT)) or a sign in front (DISPSIGN(SEP));
 * zoned items as they are; floating point as -.9(8)E-99 and -.9(17)E-99; pointers as 9(10). Not
 * here: where lines go (workers), characters and edited items, which are libcob's. */
#define _GNU_SOURCE
#include "cobol.h"

#include <string.h>

#define SHORT_DIGITS 8
#define LONG_DIGITS 17
/* A sign, a point, digits, E and an exponent have room. */
#define SHOWN_BYTES (TXM_DIGITS + 16)

static const cob_field_attr text_attr = {COB_TYPE_ALPHANUMERIC, 0, 0, 0, NULL};

/* Characters of X'FA' to X'FF'. */
static const unsigned char no_digit[6] = {0xB3, 0xDB, 0xDC, 0xD9, 0xDA, 0x9F};

static int sign_in_front; /* DISPSIGN(SEP) */
static unsigned char room[SHOWN_BYTES];
static cob_field shown = {0, room, &text_attr};

void txm_display_start(int separate_signs)
{
	sign_in_front = separate_signs;
}

/* Digits as characters, by what becomes of the sign. */
static cob_field *digits_shown(const unsigned char *digits, size_t count, int is_signed, int negative)
{
	const size_t front = is_signed && sign_in_front;

	if (front)
		room[0] = negative ? '-' : '+';
	memcpy(room + front, digits, count);
	shown.size = count + front;
	if (is_signed && negative && !front && count && digits[count - 1] >= '0' && digits[count - 1] <= '9')
		room[count - 1] = (unsigned char)"}JKLMNOPQR"[digits[count - 1] - '0'];
	return &shown;
}

/* Digits that are there: those of P are not. */
static int picture_digits(const cob_field *f)
{
	return COB_FIELD_SCALE(f) < 0 ? COB_FIELD_DIGITS(f) + COB_FIELD_SCALE(f) : COB_FIELD_DIGITS(f);
}

static int binary_digits(const cob_field *f)
{
	const int whole = COB_FIELD_REAL_BINARY(f) || !COB_FIELD_BINARY_TRUNC(f);

	/* RETURN-CODE and SORT-RETURN are halfwords there. */
	if (COB_FIELD_TYPE(f) == COB_TYPE_NUMERIC_COMP5 && whole)
		return 4;
	if (!whole)
		return picture_digits(f);
	switch (f->size) {
	case 1:
		return 3;
	case 2:
		return 5;
	case 4:
		return 10;
	default:
		return COB_FIELD_HAVE_SIGN(f) ? 19 : 20;
	}
}

static cob_field *binary_shown(const cob_field *f)
{
	uint64_t value = 0;
	unsigned char digits[TXM_DIGITS];
	int count = binary_digits(f), negative = 0, i;
	size_t at;

	for (at = 0; at < f->size; at++)
		value = value << 8 | f->data[COB_FIELD_BINARY_SWAP(f) ? at : f->size - 1 - at];
	if (COB_FIELD_HAVE_SIGN(f) && f->size && value >> (8 * f->size - 1) & 1) {
		negative = 1;
		value = (f->size < 8 ? (uint64_t)1 << (8 * f->size) : 0) - value;
	}
	for (i = count; i > 0; i--, value /= 10)
		digits[i - 1] = (unsigned char)('0' + value % 10);
	return digits_shown(digits, (size_t)count, COB_FIELD_HAVE_SIGN(f) != 0, negative);
}

/* As UNPK does it: a half that is no digit is shown as the character it makes. */
static cob_field *packed_shown(const cob_field *f)
{
	unsigned char digits[TXM_DIGITS];
	const int halves = (int)f->size * 2 - 1;
	const int sign = f->data[f->size - 1] & 0x0F;
	int count = picture_digits(f), i;

	if (count > halves)
		count = halves;
	for (i = 0; i < count; i++) {
		const int half = halves - count + i;
		const int digit = half % 2 ? f->data[half / 2] & 0x0F : f->data[half / 2] >> 4;

		digits[i] = digit > 9 ? no_digit[digit - 10] : (unsigned char)('0' + digit);
	}
	return digits_shown(digits, (size_t)count, COB_FIELD_HAVE_SIGN(f) != 0, sign == 0xD || sign == 0xB);
}

/* A zoned item is shown as it is, unless a sign over a digit is wanted in front. */
static cob_field *zoned_shown(cob_field *f)
{
	static const char positive[] = "{ABCDEFGHI", negative[] = "}JKLMNOPQR";
	unsigned char digits[TXM_DIGITS];
	const char *found;
	unsigned char *sign;
	int minus = 0;

	if (!sign_in_front || !COB_FIELD_HAVE_SIGN(f) || COB_FIELD_SIGN_SEPARATE(f) || !f->size
	 || f->size > TXM_DIGITS)
		return NULL;
	memcpy(digits, f->data, f->size);
	sign = &digits[COB_FIELD_SIGN_LEADING(f) ? 0 : f->size - 1];
	if (*sign && (found = strchr(negative, *sign))) {
		*sign = (unsigned char)('0' + (found - negative));
		minus = 1;
	} else if (*sign && (found = strchr(positive, *sign)))
		*sign = (unsigned char)('0' + (found - positive));
	return digits_shown(digits, f->size, 1, minus);
}

static cob_field *floating_shown(double value, int digits)
{
	char text[64];
	int power = 0, i;

	/* d.dddE+nn: the point goes in front of all digits. */
	snprintf(text, sizeof text, "%.*E", digits - 1, value < 0 ? -value : value);
	sscanf(strchr(text, 'E') ? strchr(text, 'E') + 1 : "0", "%d", &power);
	if (value != 0)
		power++;
	room[0] = value < 0 ? '-' : ' ';
	room[1] = '.';
	room[2] = (unsigned char)text[0];
	for (i = 1; i < digits; i++)
		room[2 + i] = (unsigned char)text[1 + i];
	shown.size = (size_t)(2 + digits) + (size_t)snprintf((char *)room + 2 + digits, 8, "E%c%02d",
		power < 0 ? '-' : ' ', power < 0 ? -power : power);
	return &shown;
}

static cob_field *pointer_shown(const cob_field *f)
{
	uint64_t address = 0;

	memcpy(&address, f->data, f->size < sizeof address ? f->size : sizeof address);
	shown.size = (size_t)snprintf((char *)room, sizeof room, "%010llu", (unsigned long long)address);
	return &shown;
}

/* A number of a function that is floating point on the mainframe. */
static cob_field *answer_shown(cob_field *f)
{
	static const cob_field_attr double_attr = {COB_TYPE_NUMERIC_DOUBLE, 0, 0, COB_FLAG_HAVE_SIGN, NULL};
	double value = 0;
	cob_field to = {sizeof value, (unsigned char *)&value, &double_attr};

	txm_cob.move(f, &to);
	return floating_shown(value, LONG_DIGITS);
}

/* What is shown of an item; NULL: the item. */
static cob_field *as_shown(cob_field *f)
{
	float narrow;
	double wide;

	if (!f->size || !f->data)
		return NULL;
	if (f->attr->flags & COB_FLAG_IS_POINTER)
		return pointer_shown(f);
	if (txm_is_answer(f))
		return answer_shown(f);
	switch (COB_FIELD_TYPE(f)) {
	case COB_TYPE_NUMERIC_BINARY:
	case COB_TYPE_NUMERIC_COMP5:
		return f->size <= sizeof(uint64_t) ? binary_shown(f) : NULL;
	case COB_TYPE_NUMERIC_PACKED:
		return f->attr->flags & COB_FLAG_NO_SIGN_NIBBLE || f->size > TXM_DIGITS / 2 + 1
			? NULL : packed_shown(f);
	case COB_TYPE_NUMERIC_DISPLAY:
		return zoned_shown(f);
	case COB_TYPE_NUMERIC_FLOAT:
		memcpy(&narrow, f->data, sizeof narrow);
		return floating_shown(narrow, SHORT_DIGITS);
	case COB_TYPE_NUMERIC_DOUBLE:
		memcpy(&wide, f->data, sizeof wide);
		return floating_shown(wide, LONG_DIGITS);
	default:
		return NULL;
	}
}

/* libcob shows the bytes of an item of characters, and of nothing else. */
static void show(int device, int newline, cob_field *f)
{
	cob_field bytes = {f->size, f->data, &text_attr};
	cob_field *text = as_shown(f);

	if (!text && COB_FIELD_TYPE(f) == COB_TYPE_NUMERIC_DISPLAY)
		text = &bytes;
	txm_replaced.display(device, newline, 1, text ? text : f);
}

void cob_display(const int device, const int newline, const int count, ...)
{
	va_list args;
	int i;

	txm_replace();
	if (!count)
		txm_replaced.display(device, newline, 0);
	va_start(args, count);
	for (i = 0; i < count; i++)
		show(device, newline && i + 1 == count, va_arg(args, cob_field *));
	va_end(args);
}
