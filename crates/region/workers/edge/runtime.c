/* Replacements for libcob functions. The executable exports them, so that libcob and the modules
 * find them before libcob's own: program ends, run-time errors, zero divide, numeric literals,
 * CALL and CANCEL. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CALL_NAME 256
#define DECIMAL_NAN (-32768) /* scale libcob gives to the result of a division by zero */

/* Name of the statement in progress. */
static const char *statement = "";

/* Checked code calls this for every statement; libcob's writes the statement trace of
 * COB_SET_TRACE, which has no meaning here, and costs a tenth of a small program. */
void cob_trace_stmt(const char *name)
{
	statement = name;
	txm_floating_statement();
}

const char *txm_statement(void)
{
	return statement;
}

struct binding {
	const char *name;
	void **to;
};

static const char *bind_libcob(void *libcob)
{
	const struct binding wanted[] = {
		{"cob_init", (void **)&txm_cob.init},
		{"cob_get_global_ptr", (void **)&txm_cob.get_global_ptr},
		{"cob_move", (void **)&txm_cob.move},
		{"cob_resolve", (void **)&txm_cob.resolve},
		{"cob_resolve_cobol", (void **)&txm_cob.resolve_cobol},
		{"cob_cancel", (void **)&txm_cob.cancel},
		{"cob_decimal_get_field", (void **)&txm_cob.decimal_get_field},
		{"cob_decimal_init", (void **)&txm_cob.decimal_init},
		{"cob_check_numeric", (void **)&txm_cob.check_numeric},
		{"cob_decimal_set_field", (void **)&txm_cob.decimal_set_field},
		{"cob_decimal_add", (void **)&txm_cob.decimal_add},
		{"cob_decimal_sub", (void **)&txm_cob.decimal_sub},
		{"cob_decimal_mul", (void **)&txm_cob.decimal_mul},
		{"cob_decimal_div", (void **)&txm_cob.decimal_div},
		{"cob_decimal_pow", (void **)&txm_cob.decimal_pow},
		{"cob_decimal_align", (void **)&txm_cob.decimal_align},
		{"cob_decimal_set_llint", (void **)&txm_cob.decimal_set_llint},
		{"cob_div_quotient", (void **)&txm_cob.div_quotient},
		{"cob_div_remainder", (void **)&txm_cob.div_remainder},
		{"cob_decimal_cmp", (void **)&txm_cob.decimal_cmp},
		{"cob_cmp", (void **)&txm_cob.cmp},
		{"cob_cmp_float", (void **)&txm_cob.cmp_float},
		{"cob_numeric_cmp", (void **)&txm_cob.numeric_cmp},
		{"cob_cmp_int", (void **)&txm_cob.cmp_int},
		{"cob_cmp_uint", (void **)&txm_cob.cmp_uint},
		{"cob_cmp_llint", (void **)&txm_cob.cmp_llint},
		{"cob_cmp_packed", (void **)&txm_cob.cmp_packed},
		{"cob_cmp_numdisp", (void **)&txm_cob.cmp_numdisp},
		{"cob_get_int", (void **)&txm_cob.get_int},
		{"cob_get_llint", (void **)&txm_cob.get_llint},
		{"cob_add_int", (void **)&txm_cob.add_int},
		{"cob_sub_int", (void **)&txm_cob.sub_int},
		{"cob_malloc", (void **)&txm_cob.malloc},
		{"cob_free", (void **)&txm_cob.free},
		/* libcob brings GMP, whose numbers its decimals are. */
		{"__gmpz_get_str", (void **)&txm_cob.mpz_to_text},
		{"__gmpz_set_str", (void **)&txm_cob.mpz_from_text},
		{"__gmpz_sizeinbase", (void **)&txm_cob.mpz_digits},
#define FUNCTION_OF_ONE(name) {"cob_intr_" #name, (void **)&txm_cob.name},
#define FUNCTION_OF_TWO(name) FUNCTION_OF_ONE(name)
		TXM_FLOATING_FUNCTIONS
#undef FUNCTION_OF_ONE
#undef FUNCTION_OF_TWO
		{"cob_intr_test_numval", (void **)&txm_cob.test_numval},
		{"cob_intr_test_numval_f", (void **)&txm_cob.test_numval_f},
		{"cob_intr_test_numval_c", (void **)&txm_cob.test_numval_c},
	};
	size_t i;

	for (i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		*wanted[i].to = dlsym(libcob, wanted[i].name);
		if (!*wanted[i].to)
			return wanted[i].name;
	}
	return NULL;
}

const char *txm_start(void *libcob)
{
	const char *missing = bind_libcob(libcob);

	if (missing)
		return missing;
	txm_level_start();
	txm_floating_start();
	txm_functions_start();
	return NULL;
}

/* RETURN-CODE of the program that came back last, or that ended the run. */
int txm_return_code;

void cob_stop_run(const int status)
{
	txm_return_code = status;
	txm_stopped();
}

void cob_runtime_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	txm_error_text(format, args);
	va_end(args);
}

int cob_decimal_get_field(cob_decimal *value, cob_field *to, const int options)
{
	int answer;

	to = txm_held(to);
	if (txm_floating.no_power && options & COB_STORE_KEEP_ON_OVERFLOW)
		value->scale = DECIMAL_NAN;
	if (value->scale == DECIMAL_NAN && !(options & COB_STORE_KEEP_ON_OVERFLOW)) {
		txm_check_text("S0CB decimal divide exception: division by zero without ON SIZE ERROR");
		txm_raise(TXM_CHECK_ZERO_DIVIDE);
	}
	if (value->scale != DECIMAL_NAN && txm_store_floating(value, to, options, &answer))
		return answer;
	return txm_get_field(value, to, options);
}

/* Decimals that the module being primed made: its numeric literals. */
static void **constants;
static size_t constant_count, constant_room;

/* Literals of expressions are structures in the storage of a module whose digits lie on the heap,
 * and arithmetic changes both: putting back the structure alone would make another number of
 * them. */
void cob_decimal_init(cob_decimal *value)
{
	txm_cob.decimal_init(value);
	if (!txm_priming())
		return;
	if (constant_count == constant_room) {
		size_t room = constant_room ? 2 * constant_room : 64;
		void **larger = realloc(constants, room * sizeof *constants);

		if (!larger) {
			txm_check_text("no memory for the numeric literals of a program");
			txm_raise(TXM_CHECK_RUNTIME);
			return;
		}
		constants = larger;
		constant_room = room;
	}
	constants[constant_count++] = value;
}

/* The decimals made since the last call, each of so many bytes. Valid until the next level
 * starts. */
size_t txm_constants(void *const **addresses, size_t *bytes)
{
	size_t count = constant_count;

	*addresses = constants;
	*bytes = sizeof(cob_decimal);
	constant_count = 0;
	return count;
}

/* CEE3ABD: ends the program with the decimal abend code it names. */
int txm_cee3abd(const unsigned char *code, const unsigned char *clean_up)
{
	char text[64];
	unsigned number = 0;
	int i;

	(void)clean_up;
	for (i = 0; code && i < 4; i++)
		number = number << 8 | code[i];
	snprintf(text, sizeof text, "%04u CEE3ABD was called", number % 10000);
	txm_check_text(text);
	txm_raise(TXM_CHECK_ABEND);
	return 0;
}

static size_t trimmed(char *to, const char *from, size_t length)
{
	if (length >= MAX_CALL_NAME)
		length = MAX_CALL_NAME - 1;
	while (length && (from[length - 1] == ' ' || from[length - 1] == 0))
		length--;
	memcpy(to, from, length);
	to[length] = 0;
	return length;
}

static void *find(const char *from, size_t bytes, int must)
{
	char name[MAX_CALL_NAME];
	char text[MAX_CALL_NAME + 64];
	size_t length = trimmed(name, from, bytes);
	int was = txm_enter();
	void *entry = length ? txm_resolve(name, length) : NULL;

	txm_leave(was);
	if (entry == TXM_UNUSABLE)
		entry = NULL;
	else if (!entry && length && txm_may_call(name))
		entry = txm_cob.resolve(name); /* libcob's system routines */
	if (!entry && must) {
		snprintf(text, sizeof text, "the called program %s is not available", name);
		txm_check_text(text);
		txm_raise(TXM_CHECK_MISSING_CALL);
	}
	if (!entry)
		/* Sets the exception that ON EXCEPTION asks for: no file and no symbol has this name. */
		entry = txm_cob.resolve_cobol("NO/PROGRAM", 0, 0);
	return entry;
}

void *cob_resolve_cobol(const char *name, const int fold, const int must)
{
	(void)fold;
	return find(name, strlen(name), must);
}

void *cob_call_field(const cob_field *name, const struct cob_call_struct *table,
	const unsigned int must, const int fold)
{
	const struct cob_call_struct *s;
	char text[MAX_CALL_NAME];

	(void)fold;
	trimmed(text, (const char *)name->data, name->size);
	/* Programs contained in the caller come first. */
	for (s = table; s && s->cob_cstr_name; s++)
		if (strcmp(text, s->cob_cstr_name) == 0)
			return s->cob_cstr_call.funcvoid;
	return find((const char *)name->data, name->size, (int)must);
}

/* Soft CANCEL of a program that has no TXMENTRY and so no snapshot. */
void txm_cancel_module(void *module)
{
	typedef int (*cancel)(int, void *, void *, void *, void *);
	cob_module *m = module;

	if (m && m->module_cancel.funcvoid && !m->module_active)
		((cancel)m->module_cancel.funcvoid)(-1, NULL, NULL, NULL, NULL);
}

static void cancel(const char *from, size_t bytes)
{
	char name[MAX_CALL_NAME];
	size_t length = trimmed(name, from, bytes);
	int was = txm_enter();
	int ours = length && txm_cancel(name, length);

	txm_leave(was);
	if (!ours && length)
		txm_cob.cancel(name);
}

void cob_cancel(const char *name)
{
	cancel(name, strlen(name));
}

void cob_cancel_field(const cob_field *name, const struct cob_call_struct *table)
{
	(void)table;
	cancel((const char *)name->data, name->size);
}

void cob_set_cancel(cob_module *module)
{
	int was = txm_enter();

	/* libcob's own table is not told: it knows one module per name, and we have many. */
	txm_initialised(module, module->module_cancel.funcvoid);
	txm_leave(was);
}

/* DISPLAY goes to the region's log, by replaced standard streams. */
static ssize_t write_stream(void *cookie, const char *bytes, size_t length)
{
	int was = txm_enter();

	txm_output((int)(intptr_t)cookie, bytes, length);
	txm_leave(was);
	return (ssize_t)length;
}

void txm_redirect_output(void)
{
	cookie_io_functions_t functions = {.write = write_stream};
	FILE *out = fopencookie((void *)(intptr_t)1, "w", functions);
	FILE *err = fopencookie((void *)(intptr_t)2, "w", functions);

	if (out) {
		setvbuf(out, NULL, _IOLBF, 4096);
		stdout = out;
	}
	if (err) {
		setvbuf(err, NULL, _IOLBF, 1024);
		stderr = err;
	}
}
