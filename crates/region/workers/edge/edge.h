/* The edge between the worker plumbing (Rust) and libcob: what each side calls on the other.
 *
 * What: LINK levels with a recovery point each, the entry points of translated COBOL, replacements
 * for the libcob functions that would end the process, and signals. Why C: only C may jump over
 * COBOL frames; no jump here ever crosses a Rust frame. Not here: any meaning of a command.
 *
 * Everything below runs in one thread of a zygote or worker process. */
#ifndef TXM_EDGE_H
#define TXM_EDGE_H

#include <stddef.h>
#include <stdint.h>

/* How a level ended: answers of txm_run_level. */
enum {
	TXM_RETURNED = 1, /* the program came back by itself */
	TXM_JUMPED = 2,   /* txm_dispatch answered TXM_DO_UNWIND */
	TXM_STOPPED = 3,  /* STOP RUN */
	TXM_CHECKED = 4,  /* program check: see txm_last_check */
	TXM_PRIMED = 5,   /* TXMENTRY reached while priming */
	TXM_UNPRIMED = 6  /* another program's TXMENTRY or a command reached while priming */
};

/* Kinds of program check. */
enum {
	TXM_CHECK_SIGNAL = 1,
	TXM_CHECK_RUNTIME = 2,     /* libcob found it: text in its own words */
	TXM_CHECK_ZERO_DIVIDE = 3,
	TXM_CHECK_MISSING_CALL = 4,
	TXM_CHECK_ASYNC = 5,       /* runaway or purge, asked for by the region */
	TXM_CHECK_DESCRIPTOR = 6,  /* the program overwrote its command descriptor */
	TXM_CHECK_ABEND = 7,       /* CEE3ABD: the text begins with the abend code */
	TXM_CHECK_DATA = 8         /* an item that is no number */
};

#define TXM_TEXT_BYTES 480

struct txm_check {
	int kind;
	int signal;
	uintptr_t pc;
	uintptr_t address;
	uintptr_t place;         /* where the program that was running goes on, 0 = unknown */
	unsigned int line;       /* of the statement, 0 = unknown */
	char module[32];
	char text[TXM_TEXT_BYTES];
};

/* What the region and the worker share for signals; lies in shared memory. */
struct txm_slot_view {
	uint32_t current_task;   /* 0 = none */
	uint32_t async_task;     /* task to be ended at its next safe point */
	uint32_t fault_task;     /* task whose end fault_text explains, if the worker dies now */
	uint32_t fault_code;     /* abend code, four characters */
	char fault_text[TXM_TEXT_BYTES];
};

/* One argument of a command. */
struct txm_argument {
	unsigned char *data;
	size_t size;
	int type;                /* libcob field type, 0 = no description */
	int digits;
	int scale;
	unsigned int flags;
	const void *field;       /* cob_field, NULL = no description */
};

/* One argument of a supplied function. */
struct txm_operand {
	const unsigned char *data;
	size_t size;
	int64_t number;          /* of a numeric argument */
	int national;
};

/* The value of a supplied function: bytes, or without data an integer. */
struct txm_value {
	const unsigned char *data;
	size_t size;
	int national;
	char problem[120];       /* empty: there is none */
};

/* Answers of txm_dispatch below 0; from 0 on it is the branch for the program. */
#define TXM_DO_GOBACK (-1)
#define TXM_DO_UNWIND (-2)

/* Answer of txm_resolve: the program is there but cannot be used. */
#define TXM_UNUSABLE ((void *)-1)

/* Rust offers: */
int txm_dispatch(const unsigned char *descriptor, size_t bytes, struct txm_argument *arguments, int count);
void *txm_resolve(const char *name, size_t length);
int txm_cancel(const char *name, size_t length);
void txm_initialised(void *module, void *code);
void txm_output(int stream, const char *bytes, size_t length);
int txm_open_storage(uintptr_t address);
void *txm_storage(size_t bytes);
int txm_give_back(void *address);
int txm_service(int number, unsigned char *const *arguments);
void txm_function(const char *name, size_t length, const struct txm_operand *operands, int count,
	struct txm_value *value);

/* C offers: */
const char *txm_start(void *libcob);
void txm_data_rules(int compare_characters, int numeric_check);
void txm_routines(void *libcob, int all);
int txm_may_call(const char *name);
void txm_redirect_output(void);
void txm_signals(struct txm_slot_view *slot);
int txm_run_level(void *entry, void *eib, void *area, int prime);
void txm_resume_at(int label);
extern int txm_return_code;
void txm_describe(struct txm_argument *to, void *value, const void *field);
int txm_ask(const unsigned char *descriptor, size_t bytes, struct txm_argument *arguments, int count);
const struct txm_check *txm_last_check(void);
size_t txm_reach(const void *address, size_t bytes, int write);
int txm_get_number(const void *field, int64_t *value);
int txm_set_number(const void *field, int64_t value);
int txm_add_text_range(uintptr_t low, uintptr_t high);
void txm_cancel_module(void *module);
void *txm_current_entry(void);
uintptr_t txm_place(void);
int txm_table(uintptr_t *address, size_t *bytes);
int txm_local(uintptr_t low, size_t length, uintptr_t *address, size_t *bytes);
void *txm_service_entry(const char *name, size_t length);
size_t txm_constants(void *const **addresses, size_t *bytes);

#endif
