/* UNSTRING into numbers: what lies between delimiters is moved as MOVE does it.
 *
 * Why: libcob's UNSTRING moves by itself, and reads the characters as a number with sign, point and
 * blanks around it; on the mainframe they are the digits of an unsigned whole number. What: a
 * numeric receiver gets its characters through an item of characters. Not here: the search for
 * delimiters, POINTER and TALLYING, which are libcob's. */
#define _GNU_SOURCE
#include "cobol.h"

#include <stdlib.h>
#include <string.h>

static const cob_field_attr text_attr = {COB_TYPE_ALPHANUMERIC, 0, 0, 0, NULL};
static const cob_field_attr count_attr = {
	COB_TYPE_NUMERIC_BINARY, 9, 0, COB_FLAG_HAVE_SIGN | COB_FLAG_REAL_BINARY, NULL
};

static size_t source_size;
static int delimited;
static unsigned char *taken;
static size_t taken_room;

void txm_unstring_start(void)
{
}

void cob_unstring_init(cob_field *source, cob_field *pointer, const size_t delimiters)
{
	txm_replace();
	source_size = source->size;
	delimited = delimiters != 0;
	txm_replaced.unstring_init(source, pointer, delimiters);
}

/* Room for characters of the source; 0: there is none. */
static int make_room(size_t size)
{
	unsigned char *larger;

	if (size <= taken_room)
		return 1;
	larger = realloc(taken, size);
	if (!larger)
		return 0;
	taken = larger;
	taken_room = size;
	return 1;
}

void cob_unstring_into(cob_field *to, cob_field *delimiter, cob_field *count)
{
	static unsigned char zero[] = "0";
	int32_t found = -1;
	cob_field number = {sizeof found, (unsigned char *)&found, &count_attr};
	cob_field text = {delimited ? source_size : COB_FIELD_SIZE(to), NULL, &text_attr};

	if (!COB_FIELD_IS_NUMERIC(to) || !text.size) {
		txm_replaced.unstring_into(to, delimiter, count);
		return;
	}
	if (!make_room(text.size)) {
		txm_check_text("no memory for UNSTRING");
		txm_raise(TXM_CHECK_RUNTIME);
		return;
	}
	text.data = taken;
	txm_replaced.unstring_into(&text, delimiter, &number);
	if (found < 0) /* the source is at its end */
		return;
	text.size = (size_t)found;
	if (!found) {
		text.data = zero;
		text.size = 1;
	}
	cob_move(&text, to);
	if (count)
		cob_move(&number, count);
}
