/* Between the C files of the edge. */
#ifndef TXM_INTERNAL_H
#define TXM_INTERNAL_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <gmp.h> /* before libcob.h, which declares cob_decimal only then */
#include <libcob.h>

/* Exit codes of a worker that cannot go on. */
#define TXM_EXIT_CHECK 111
#define TXM_EXIT_STOP 112

/* The real functions: libcob is opened at run time, nothing links against it. */
struct txm_libcob {
	void (*init)(int, char **);
	cob_global *(*get_global_ptr)(void);
	void (*move)(cob_field *, cob_field *);
	void *(*resolve)(const char *);
	void *(*resolve_cobol)(const char *, int, int);
	void (*cancel)(const char *);
	int (*decimal_get_field)(cob_decimal *, cob_field *, int);
	void (*decimal_init)(cob_decimal *);
	void (*check_numeric)(const cob_field *, const char *);
	cob_global *global;
};

extern struct txm_libcob txm_cob;

const char *txm_bind(void *libcob);
void txm_raise(int kind);
void txm_error_text(const char *format, va_list args);
void txm_stopped(void) __attribute__((noreturn));
int txm_enter(void);
void txm_leave(int was);
void txm_check_text(const char *text);
void txm_forget_error(void);
int txm_priming(void);

/* A recovery point inside Transom code: while txm_guarded is set, a fault or a libcob error comes
 * back to txm_guard. Only C frames may lie between. */
extern volatile sig_atomic_t txm_guarded;
extern sigjmp_buf txm_guard;

#endif
