/* Storage and fields of a program, touched with a recovery point of their own. See edge.h. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <signal.h>

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
 * as many as a number has digits. */
int txm_as_number(const cob_field *from, cob_field *number)
{
	static cob_field_attr attr = {COB_TYPE_NUMERIC_DISPLAY, 0, 0, 0, NULL};
	size_t size = from->size < TXM_DIGITS ? from->size : TXM_DIGITS;

	if (COB_FIELD_TYPE(from) != COB_TYPE_ALPHANUMERIC || !size)
		return 0;
	attr.digits = (unsigned short)size;
	number->size = size;
	number->data = from->data + (from->size - size);
	number->attr = &attr;
	return 1;
}
