/* Storage that COBOL itself asks for (LOCAL-STORAGE, ALLOCATE) or tells of (tables for LOAD).
 *
 * Why here: a program may take its address into a POINTER of four bytes, and libcob's heap lies
 * above 2 GiB. It comes from the storage of the task instead and goes with it, so a program that is
 * left by a jump leaves nothing behind. Not here: storage of commands (arena.rs). */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <string.h>

/* Task storage for the running program, zeros. */
static void *task_storage(size_t bytes)
{
	const int was = txm_enter();
	void *at = txm_storage(bytes);

	txm_leave(was);
	if (!at) {
		txm_check_text("no storage of the task is left for LOCAL-STORAGE or ALLOCATE");
		txm_raise(TXM_CHECK_RUNTIME);
	}
	return at;
}

static int give_back(void *at)
{
	const int was = txm_enter();
	const int ours = txm_give_back(at);

	txm_leave(was);
	return ours;
}

/* LOCAL-STORAGE that programs of the task asked for, the newest last: only these know where it
 * lies, which dumps want to know. Of more than there are places the oldest is forgotten. */
#define LOCALS_MAX 256
static struct { uintptr_t by, at; size_t bytes; } locals[LOCALS_MAX];
static size_t locals_used;

static void remember(uintptr_t by, void *at, size_t bytes)
{
	if (locals_used == LOCALS_MAX)
		memmove(locals, locals + 1, --locals_used * sizeof *locals);
	locals[locals_used].by = by;
	locals[locals_used].at = (uintptr_t)at;
	locals[locals_used++].bytes = bytes;
}

static void forget(void *at)
{
	size_t i = locals_used;

	while (i-- > 0)
		if (locals[i].at == (uintptr_t)at) {
			memmove(locals + i, locals + i + 1, (--locals_used - i) * sizeof *locals);
			return;
		}
}

/* A task begins, which has none. */
void txm_forget_locals(void)
{
	locals_used = 0;
}

/* The newest LOCAL-STORAGE that a module asked for, which begins at low; 0: none. */
int txm_local(uintptr_t low, size_t length, uintptr_t *address, size_t *bytes)
{
	size_t i = locals_used;

	while (i-- > 0)
		if (locals[i].by - low < length) {
			*address = locals[i].at;
			*bytes = locals[i].bytes;
			return 1;
		}
	return 0;
}

/* Programs ask for LOCAL-STORAGE at their entry; libcob asks for itself, and not for long. */
void *cob_malloc(const size_t bytes)
{
	const uintptr_t by = (uintptr_t)__builtin_return_address(0);
	void *at;

	if (!txm_is_running() || !txm_in_module_text(by))
		return txm_cob.malloc(bytes);
	at = task_storage(bytes);
	remember(by, at, bytes);
	return at;
}

void cob_free(void *at)
{
	if (at && locals_used)
		forget(at);
	if (!at || !give_back(at))
		txm_cob.free(at);
}

/* ALLOCATE: a number of characters, or a BASED item whose address dataptr is. */
void cob_allocate(unsigned char **dataptr, cob_field *retptr, cob_field *sizefld, cob_field *initialize)
{
	const int bytes = txm_cob.get_int(sizefld);
	static const cob_field_attr text = {COB_TYPE_ALPHANUMERIC, 0, 0, 0, NULL};
	unsigned char *at = NULL;

	if (bytes > 0) {
		at = task_storage((size_t)bytes);
		if (initialize) {
			cob_field all = {(size_t)bytes, at, &text};

			txm_cob.move(initialize, &all);
		}
	}
	if (dataptr)
		*dataptr = at;
	if (retptr)
		memcpy(retptr->data, &at, sizeof at);
}

/* FREE: the address of a BASED item, or a pointer. */
void cob_free_alloc(unsigned char **address, unsigned char *pointer)
{
	unsigned char *at;

	if (address && *address) {
		give_back(*address);
		*address = NULL;
	}
	if (pointer) {
		memcpy(&at, pointer, sizeof at);
		if (at)
			give_back(at);
		memset(pointer, 0, sizeof(void *));
	}
}

/* SET of a POINTER to an address that four bytes do not hold. */
int TXMHIGH(void)
{
	txm_check_text("the address of an item that lies above 2 GiB (EXTERNAL, or passed BY CONTENT) "
		"does not fit into a POINTER");
	txm_raise(TXM_CHECK_RUNTIME);
	return 0;
}

static struct { uintptr_t at; size_t bytes; } table;

/* A program that is only data, at its entry: its first record. */
int TXMTABLE(void *record, ...)
{
	cob_module *m = txm_cob.global->cob_current_module;
	cob_field **fields = m->cob_procedure_params;

	(void)record;
	if (txm_priming() && fields && fields[0]) {
		table.at = (uintptr_t)fields[0]->data;
		table.bytes = fields[0]->size;
	}
	txm_primed();
	return 0;
}

/* The record the module told that was primed last; 0: it is no table. */
int txm_table(uintptr_t *address, size_t *bytes)
{
	*address = table.at;
	*bytes = table.bytes;
	table.at = 0;
	table.bytes = 0;
	return *address != 0;
}
