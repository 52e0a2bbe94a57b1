/* Storage and fields of a program, touched with a recovery point of their own. See edge.h. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <signal.h>
#include <string.h>

#define PAGE_BYTES 4096

volatile sig_atomic_t txm_guarded;
sigjmp_buf txm_guard;

static volatile uintptr_t reached;

static void __attribute__((noinline)) touch(uintptr_t at, uintptr_t end, int write)
{
	while (at < end) {
		volatile unsigned char *p = (volatile unsigned char *)at;

		if (write)
			__atomic_fetch_or(p, 0, __ATOMIC_RELAXED);
		else
			(void)*p;
		at = (at | (PAGE_BYTES - 1)) + 1;
		reached = at < end ? at : end;
	}
}

/* Touches every page, so that a bad address shows here, between C frames, and not in Rust. Answers
 * how many bytes from the start can be used. */
size_t txm_reach(const void *address, size_t bytes, int write)
{
	const uintptr_t start = (uintptr_t)address;

	if (start < PAGE_BYTES || start + bytes < start)
		return 0;
	reached = start;
	if (sigsetjmp(txm_guard, 0) == 0) {
		txm_guarded = 1;
		touch(start, start + bytes, write);
	}
	txm_guarded = 0;
	return reached - start;
}

static const cob_field_attr number_attr = {
	COB_TYPE_NUMERIC_BINARY, 18, 0, COB_FLAG_HAVE_SIGN | COB_FLAG_REAL_BINARY, NULL
};

static int guarded_move(cob_field *from, cob_field *to)
{
	int sig = sigsetjmp(txm_guard, 0);

	if (sig == 0) {
		txm_guarded = 1;
		txm_cob.move(from, to);
	}
	txm_guarded = 0;
	txm_forget_error();
	return sig;
}

int txm_get_number(const void *field, int64_t *value)
{
	cob_field to = {sizeof *value, (unsigned char *)value, &number_attr};

	return guarded_move((cob_field *)field, &to);
}

int txm_set_number(const void *field, int64_t value)
{
	cob_field from = {sizeof value, (unsigned char *)&value, &number_attr};

	return guarded_move(&from, (cob_field *)field);
}

/* What a command is told of an argument. */
void txm_describe(struct txm_argument *to, void *value, const void *described)
{
	const cob_field *field = described;

	to->field = field;
	if (!field) {
		to->data = value;
		to->size = sizeof(void *);
		to->type = 0;
		return;
	}
	to->data = field->data;
	to->size = field->size;
	to->type = field->attr->type;
	to->digits = field->attr->digits;
	to->scale = field->attr->scale;
	to->flags = field->attr->flags;
}

/* Characters as the unsigned whole number that MOVE takes them for: a view of the last of them,
 * as many as a number has digits. ALL of several characters are as many as the receiver has
 * digits, from the first on. */
int txm_as_number(const cob_field *from, const cob_field *to, cob_field *number)
{
	static cob_field_attr attr = {COB_TYPE_NUMERIC_DISPLAY, 0, 0, 0, NULL};
	static unsigned char repeated[TXM_DIGITS];
	size_t size = from->size < TXM_DIGITS ? from->size : TXM_DIGITS;
	size_t i;

	number->data = from->data + (from->size - size);
	if (COB_FIELD_TYPE(from) == COB_TYPE_ALPHANUMERIC_ALL && from->size > 1 && COB_FIELD_IS_NUMERIC(to)) {
		size = to->attr->digits < TXM_DIGITS ? to->attr->digits : TXM_DIGITS;
		for (i = 0; i < size; i++)
			repeated[i] = from->data[i % from->size];
		number->data = repeated;
	} else if (COB_FIELD_TYPE(from) != COB_TYPE_ALPHANUMERIC)
		return 0;
	if (!size)
		return 0;
	attr.digits = (unsigned short)size;
	number->size = size;
	number->attr = &attr;
	return 1;
}

/* All digits of a packed item; what its last byte is must be known. */
static int is_packed_zero(const cob_field *field)
{
	size_t i;

	for (i = 0; i + 1 < field->size && !field->data[i]; i++)
		;
	return i + 1 == field->size && !(field->data[i] & 0xF0);
}

/* A packed item with the sign X'B', which libcob takes for plus, or a zero with minus, which it
 * takes for less than zero: a copy with the usual sign. */
cob_field *txm_usual_sign(cob_field *field, cob_field *copy, unsigned char *room)
{
	const size_t last = field->size - 1;
	unsigned char sign;

	field = txm_held(field);
	if (COB_FIELD_TYPE(field) != COB_TYPE_NUMERIC_PACKED || COB_FIELD_NO_SIGN_NIBBLE(field)
	 || !COB_FIELD_HAVE_SIGN(field) || last >= TXM_DIGITS)
		return field;
	sign = field->data[last] & 0x0F;
	if (sign != 0x0B && (sign != 0x0D || !is_packed_zero(field)))
		return field;
	memcpy(room, field->data, field->size);
	room[last] = (unsigned char)((room[last] & 0xF0) | (is_packed_zero(field) ? 0x0C : 0x0D));
	*copy = *field;
	copy->data = room;
	return copy;
}

/* A number is compared with characters as MOVE makes characters of it, without its sign, and with a
 * group by its bytes; libcob compares the bytes of one with a separate sign, and leaves out any
 * other sign. */
static int is_characters(const cob_field *field)
{
	return COB_FIELD_TYPE(field) == COB_TYPE_ALPHANUMERIC || COB_FIELD_TYPE(field) == COB_TYPE_ALPHANUMERIC_ALL
		|| COB_FIELD_TYPE(field) == COB_TYPE_ALPHANUMERIC_EDITED;
}

/* Its digits, and a blank in the place of the sign, or its bytes; the item itself where libcob is
 * right. */
static cob_field *without_sign(cob_field *field, const cob_field *other, cob_field *copy, unsigned char *room)
{
	static const cob_field_attr characters = {COB_TYPE_ALPHANUMERIC, 0, 0, 0, NULL};
	const size_t leading = COB_FIELD_SIGN_LEADING(field) ? 1 : 0;

	if (COB_FIELD_TYPE(field) == COB_TYPE_NUMERIC_DISPLAY && COB_FIELD_TYPE(other) == COB_TYPE_GROUP) {
		*copy = *field;
		copy->attr = &characters;
		return copy;
	}
	if (COB_FIELD_TYPE(field) != COB_TYPE_NUMERIC_DISPLAY || !COB_FIELD_SIGN_SEPARATE(field)
	 || !is_characters(other) || field->size < 2 || field->size > TXM_DIGITS + 1)
		return field;
	memcpy(room, field->data + leading, field->size - 1);
	room[field->size - 1] = ' ';
	copy->size = field->size;
	copy->data = room;
	copy->attr = &characters;
	return copy;
}

int cob_cmp(cob_field *a, cob_field *b)
{
	unsigned char room[TXM_DIGITS + 1];
	cob_field copy;
	cob_field *first = without_sign(a, b, &copy, room);

	return txm_cob.cmp(first, first == a ? without_sign(b, a, &copy, room) : b);
}

/* CCSID 37 of each character of ISO 8859-1. */
const unsigned char txm_ebcdic[256] = {
	0x00, 0x01, 0x02, 0x03, 0x37, 0x2D, 0x2E, 0x2F, 0x16, 0x05, 0x25, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
	0x10, 0x11, 0x12, 0x13, 0x3C, 0x3D, 0x32, 0x26, 0x18, 0x19, 0x3F, 0x27, 0x1C, 0x1D, 0x1E, 0x1F,
	0x40, 0x5A, 0x7F, 0x7B, 0x5B, 0x6C, 0x50, 0x7D, 0x4D, 0x5D, 0x5C, 0x4E, 0x6B, 0x60, 0x4B, 0x61,
	0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x5E, 0x4C, 0x7E, 0x6E, 0x6F,
	0x7C, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6,
	0xD7, 0xD8, 0xD9, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xBA, 0xE0, 0xBB, 0xB0, 0x6D,
	0x79, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96,
	0x97, 0x98, 0x99, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xC0, 0x4F, 0xD0, 0xA1, 0x07,
	0x20, 0x21, 0x22, 0x23, 0x24, 0x15, 0x06, 0x17, 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x09, 0x0A, 0x1B,
	0x30, 0x31, 0x1A, 0x33, 0x34, 0x35, 0x36, 0x08, 0x38, 0x39, 0x3A, 0x3B, 0x04, 0x14, 0x3E, 0xFF,
	0x41, 0xAA, 0x4A, 0xB1, 0x9F, 0xB2, 0x6A, 0xB5, 0xBD, 0xB4, 0x9A, 0x8A, 0x5F, 0xCA, 0xAF, 0xBC,
	0x90, 0x8F, 0xEA, 0xFA, 0xBE, 0xA0, 0xB6, 0xB3, 0x9D, 0xDA, 0x9B, 0x8B, 0xB7, 0xB8, 0xB9, 0xAB,
	0x64, 0x65, 0x62, 0x66, 0x63, 0x67, 0x9E, 0x68, 0x74, 0x71, 0x72, 0x73, 0x78, 0x75, 0x76, 0x77,
	0xAC, 0x69, 0xED, 0xEE, 0xEB, 0xEF, 0xEC, 0xBF, 0x80, 0xFD, 0xFE, 0xFB, 0xFC, 0xAD, 0xAE, 0x59,
	0x44, 0x45, 0x42, 0x46, 0x43, 0x47, 0x9C, 0x48, 0x54, 0x51, 0x52, 0x53, 0x58, 0x55, 0x56, 0x57,
	0x8C, 0x49, 0xCD, 0xCE, 0xCB, 0xCF, 0xCC, 0xE1, 0x70, 0xDD, 0xDE, 0xDB, 0xDC, 0x8D, 0x8E, 0xDF,
};
