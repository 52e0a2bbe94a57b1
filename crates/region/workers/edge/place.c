/* Where in a program its check happened: up the stack to the first place inside a module.
 *
 * Why: what libcob or Transom found is reported from their own code. Nothing is noted while
 * programs run, so it costs nothing until one fails. Not here: lines, which programs note at each
 * statement. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <string.h>
#include <unwind.h>

#define MAX_FRAMES 200

struct search {
	uintptr_t place;
	int frames;
};

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *data)
{
	struct search *search = data;
	int before = 0;
	const uintptr_t pc = _Unwind_GetIPInfo(context, &before);

	if (txm_in_module_text(before ? pc : pc - 1)) {
		search->place = pc;
		return _URC_NORMAL_STOP;
	}
	return ++search->frames < MAX_FRAMES ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

/* Where the program that is running goes on: behind its CALL of what runs now. 0: not known, as
 * on a stack that was written over. Not for places where nothing failed: it walks the stack. */
uintptr_t txm_place(void)
{
	static struct search search;

	memset(&search, 0, sizeof search);
	if (!sigsetjmp(txm_guard, 0)) {
		txm_guarded = 1;
		_Unwind_Backtrace(look_at_frame, &search);
	}
	txm_guarded = 0;
	return search.place;
}
