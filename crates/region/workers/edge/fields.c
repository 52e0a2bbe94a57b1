/* Storage and fields of a program, touched with a recovery point of their own. See edge.h. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <signal.h>

volatile sig_atomic_t txm_guarded;
sigjmp_buf txm_guard;

void __attribute__((noinline)) txm_touch(uintptr_t at, uintptr_t last, int write)
{
	for (;;) {
		volatile unsigned char *p = (volatile unsigned char *)at;

		if (write)
			__atomic_fetch_or(p, 0, __ATOMIC_RELAXED);
		else
			(void)*p;
		if (at >= last)
			return;
		at = last - at < 4096 ? last : at + 4096;
	}
}

/* Touches every page, so that a bad address shows here, between C frames, and not in Rust. */
int txm_probe(const void *address, size_t bytes, int write)
{
	uintptr_t last = (uintptr_t)address + bytes - 1;
	int sig;

	if (bytes == 0)
		return 0;
	if ((uintptr_t)address < 4096 || last < (uintptr_t)address)
		return SIGSEGV;
	sig = sigsetjmp(txm_guard, 0);
	if (sig == 0) {
		txm_guarded = 1;
		txm_touch((uintptr_t)address, last, write);
	}
	txm_guarded = 0;
	return sig;
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
