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

/* Functions of COBOL whose value is floating point. */
#define TXM_FLOATING_FUNCTIONS \
	FUNCTION_OF_ONE(acos) \
	FUNCTION_OF_ONE(asin) \
	FUNCTION_OF_ONE(atan) \
	FUNCTION_OF_ONE(cos) \
	FUNCTION_OF_ONE(exp) \
	FUNCTION_OF_ONE(exp10) \
	FUNCTION_OF_ONE(log) \
	FUNCTION_OF_ONE(log10) \
	FUNCTION_OF_ONE(numval) \
	FUNCTION_OF_ONE(numval_f) \
	FUNCTION_OF_ONE(sin) \
	FUNCTION_OF_ONE(sqrt) \
	FUNCTION_OF_ONE(tan) \
	FUNCTION_OF_TWO(annuity) \
	FUNCTION_OF_TWO(numval_c)
#define FUNCTION_OF_ONE(name) cob_field *(*name)(cob_field *);
#define FUNCTION_OF_TWO(name) cob_field *(*name)(cob_field *, cob_field *);

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
	void (*decimal_set_field)(cob_decimal *, cob_field *);
	void (*decimal_add)(cob_decimal *, cob_decimal *);
	void (*decimal_sub)(cob_decimal *, cob_decimal *);
	void (*decimal_mul)(cob_decimal *, cob_decimal *);
	void (*decimal_div)(cob_decimal *, cob_decimal *);
	void (*decimal_pow)(cob_decimal *, cob_decimal *);
	void (*decimal_align)(cob_decimal *, int);
	void (*decimal_set_llint)(cob_decimal *, cob_s64_t);
	void (*div_quotient)(cob_field *, cob_field *, cob_field *, int);
	void (*div_remainder)(cob_field *, int);
	int (*decimal_cmp)(cob_decimal *, cob_decimal *);
	int (*cmp)(cob_field *, cob_field *);
	int (*cmp_float)(cob_field *, cob_field *);
	int (*numeric_cmp)(cob_field *, cob_field *);
	int (*cmp_int)(cob_field *, int);
	int (*cmp_uint)(cob_field *, unsigned int);
	int (*cmp_llint)(cob_field *, cob_s64_t);
	int (*cmp_packed)(cob_field *, cob_s64_t);
	int (*cmp_numdisp)(const unsigned char *, size_t, cob_s64_t, cob_u32_t);
	int (*get_int)(cob_field *);
	cob_s64_t (*get_llint)(cob_field *);
	int (*add_int)(cob_field *, int, int);
	int (*sub_int)(cob_field *, int, int);
	void *(*malloc)(const size_t);
	void (*free)(void *);
	TXM_FLOATING_FUNCTIONS
	cob_field *(*test_numval)(cob_field *);
	cob_field *(*test_numval_f)(cob_field *);
	cob_field *(*test_numval_c)(cob_field *, cob_field *);
	char *(*mpz_to_text)(char *, int, mpz_srcptr);
	int (*mpz_from_text)(mpz_ptr, const char *, int);
	size_t (*mpz_digits)(mpz_srcptr, int);
	void (*check_numeric)(const cob_field *, const char *);
	cob_global *global;
};

#undef FUNCTION_OF_ONE
#undef FUNCTION_OF_TWO

extern struct txm_libcob txm_cob;

void txm_level_start(void);
void txm_raise(int kind);
void txm_error_text(const char *format, va_list args);
void txm_stopped(void) __attribute__((noreturn));
int txm_enter(void);
void txm_leave(int was);
void txm_check_text(const char *text);
void txm_forget_error(void);
int txm_priming(void);
int txm_is_running(void);
void txm_forget_locals(void);
void txm_primed(void);
int txm_in_module_text(uintptr_t pc);
/* A numeric item is being looked at: what is found wrong now is wrong with it. */
extern int txm_looking_at_data;

/* Decimals as digits. */
#define TXM_DIGITS COB_MAX_DIGITS
#define TXM_TEXT_ROOM 1024

/* A number as digits, without a sign: they end at 10 to the power of -scale. */
struct txm_number {
	char *digits;
	int scale;
};

void txm_round_to(struct txm_number *n, int scale);
int txm_last_place(const struct txm_number *n, int significant, int scale);
void txm_expand(double value, char *digits, int *scale);
void txm_set_decimal(cob_decimal *to, const char *digits, int scale, int negative);
void txm_copy_decimal(cob_decimal *to, const cob_decimal *from);
char *txm_digits_of(const cob_decimal *value, char *room);
int txm_has_fraction(const cob_decimal *value);
int txm_nearest(const cob_decimal *value, double *wide, float *narrow);
int txm_all_digits(const unsigned char *data, size_t size);

/* Supplied functions. */
void txm_functions_start(void);
cob_field *txm_amount(const char *function, cob_field *text, cob_field *currency);

/* Random numbers. Where the sequence of a run unit goes on, which answers where it was; from a seed,
 * 0 or more; the next one, below 1. */
cob_s64_t txm_random_from(cob_s64_t from);
void txm_random_seed(int64_t seed);
double txm_random_next(void);

/* Floating point. */
/* Operations by what is left of their decimal places. */
enum txm_operation {
	TXM_SUM,
	TXM_PRODUCT,
	TXM_QUOTIENT,
	TXM_POWER
};

/* An operand with so many integer digits; an operation, in front of it. */
void txm_note_operand(const cob_decimal *to, int whole, int literal);
void txm_note_operation(cob_decimal *to, cob_decimal *other, enum txm_operation operation);

void txm_floating_start(void);
/* Answers of functions that one statement shows. */
#define TXM_ANSWERS 8
/* What the statement in progress knows of floating point. */
extern struct txm_floating {
	int count; /* decimals that came from it */
	int notes; /* decimals that something is noted of */
	int operations; /* so far */
	int dmax; /* of the statement, and one more; 0: not known */
	int extended; /* the program has ARITH(EXTEND) */
	int no_power; /* a power in it is a size error */
	int raising;  /* libcob makes a power */
	const cob_field *answer; /* of a function that is floating point on the mainframe */
	int answers; /* how many there were, the last ones below */
	const cob_field *last[TXM_ANSWERS];
} txm_floating;
/* In front of every statement: no call. */
static inline void txm_floating_statement(void)
{
	txm_floating.count = 0;
	txm_floating.notes = 0;
	txm_floating.operations = 0;
	txm_floating.dmax = 0;
	txm_floating.extended = 0;
	txm_floating.no_power = 0;
	txm_floating.raising = 0;
	txm_floating.answer = NULL;
	txm_floating.answers = 0;
}
/* In front of every MOVE: no call. */
static inline int txm_is_float(const cob_field *field)
{
	return COB_FIELD_TYPE(field) == COB_TYPE_NUMERIC_FLOAT || COB_FIELD_TYPE(field) == COB_TYPE_NUMERIC_DOUBLE;
}

extern const unsigned char txm_ebcdic[256];
cob_field *txm_usual_sign(cob_field *field, cob_field *copy, unsigned char *room);
int txm_as_number(const cob_field *from, const cob_field *to, cob_field *number);
cob_field *txm_scaled(cob_field *field);
int txm_move_scaled(cob_field *from, cob_field *to);
int txm_add_scaled(cob_field *field, cob_s64_t number, int options);
/* A packed item with P in its PICTURE. */
static inline int txm_has_p(const cob_field *field)
{
	return field->attr->type == COB_TYPE_NUMERIC_PACKED
		&& (field->attr->scale < 0 || field->attr->scale > field->attr->digits);
}
/* An item with P in its PICTURE as libcob has to see it, others as they are: no call. */
static inline cob_field *txm_held(cob_field *field)
{
	const int scale = field->attr->scale;

	return scale < 0 || (scale && scale >= field->attr->digits) ? txm_scaled(field) : field;
}
/* Numeric-edited items. */
int txm_edit(cob_field *from, cob_field *to);
int txm_places(const cob_field *to);
int txm_get_field(cob_decimal *value, cob_field *to, int options);
static inline void txm_move(cob_field *from, cob_field *to)
{
	if (COB_FIELD_TYPE(to) != COB_TYPE_NUMERIC_EDITED || !txm_edit(from, to))
		txm_cob.move(from, to);
}
/* Whether a field is the answer of a function that is floating point on the mainframe. */
int txm_is_answer(const cob_field *field);
int txm_floating_digits(const cob_decimal *value);
int txm_set_floating(cob_decimal *to, cob_field *from);
int txm_move_floating(cob_field *from, cob_field *to);
int txm_store_floating(cob_decimal *value, cob_field *to, int options, int *answer);
int txm_compare_floating(cob_field *a, cob_field *b, int *answer);
int txm_compare_number(cob_field *field, cob_s64_t number, int *answer);

/* Name of the statement in progress. */
const char *txm_statement(void);

/* A recovery point inside Transom code: while txm_guarded is set, a fault or a libcob error comes
 * back to txm_guard. Only C frames may lie between. */
extern volatile sig_atomic_t txm_guarded;
extern sigjmp_buf txm_guard;

#endif
