/* LINK levels, entry points of translated COBOL, and signals. See edge.h. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#define ALT_STACK_BYTES (64 * 1024)
#define RETRY_USEC 500
#if defined(__x86_64__)
#define PROGRAM_COUNTER(c) ((uintptr_t)(c)->uc_mcontext.gregs[REG_RIP])
#elif defined(__aarch64__)
#define PROGRAM_COUNTER(c) ((uintptr_t)(c)->uc_mcontext.pc)
#endif

struct level {
	sigjmp_buf base;
	cob_module *caller;
	struct level *up;
};

struct txm_libcob txm_cob;

static struct level *top;
static cob_module root;              /* the caller COBOL sees above the first program */
static struct txm_check check;
static uintptr_t interrupted;        /* the instruction a signal met, if it is one of a program */
int txm_looking_at_data;
static struct txm_slot_view *slot;
static volatile sig_atomic_t inside; /* 1 = Transom code runs: no jumps from signals */
static volatile sig_atomic_t async_pending;
static volatile sig_atomic_t error_pending;
static volatile sig_atomic_t priming;
static void *priming_entry;
static int resume_label;

static void note_place(void)
{
	cob_module *m = txm_cob.global->cob_current_module;

	check.place = interrupted ? interrupted : txm_place();
	interrupted = 0;
	check.line = 0;
	check.module[0] = 0;
	if (m && m != &root && m->module_name) {
		check.line = m->module_stmt & 0xFFFFF;
		snprintf(check.module, sizeof check.module, "%s", m->module_name);
	}
}

/* Leaves all COBOL frames of the highest level. Only C and COBOL frames lie between. */
static void __attribute__((noreturn)) unwind(int why)
{
	struct level *l = top;
	cob_global *g = txm_cob.global;
	cob_module *m;

	for (m = g->cob_current_module; m && m != l->caller; m = m->next)
		if (m->module_active)
			m->module_active--;
	g->cob_current_module = l->caller;
	g->cob_exception_code = 0;
	g->cob_stmt_exception = 0;
	g->cob_got_exception = 0;
	inside = 1;
	siglongjmp(l->base, why);
}

void txm_raise(int kind)
{
	if (txm_guarded)
		siglongjmp(txm_guard, 1);
	if (inside || !top) {
		if (slot && slot->current_task) {
			snprintf(slot->fault_text, sizeof slot->fault_text, "%s", check.text);
			memcpy(&slot->fault_code, "ASRA", 4);
			slot->fault_task = slot->current_task;
		}
		_exit(TXM_EXIT_CHECK);
	}
	check.kind = kind == TXM_CHECK_RUNTIME && txm_looking_at_data ? TXM_CHECK_DATA : kind;
	txm_looking_at_data = 0;
	note_place();
	unwind(TXM_CHECKED);
}

void txm_forget_error(void)
{
	error_pending = 0;
}

void txm_check_text(const char *text)
{
	snprintf(check.text, sizeof check.text, "%s", text);
}

void txm_error_text(const char *format, va_list args)
{
	size_t used = error_pending ? strlen(check.text) : 0;

	if (used && used + 3 < sizeof check.text) {
		memcpy(check.text + used, "; ", 3);
		used += 2;
	}
	if (used < sizeof check.text)
		vsnprintf(check.text + used, sizeof check.text - used, format, args);
	error_pending = 1;
}

void txm_stopped(void)
{
	if (error_pending) {
		error_pending = 0;
		txm_raise(TXM_CHECK_RUNTIME);
	}
	if (txm_guarded)
		siglongjmp(txm_guard, 1);
	if (inside || !top)
		_exit(TXM_EXIT_STOP);
	unwind(TXM_STOPPED);
}

static void retry_soon(void)
{
	struct itimerval soon = {{0, 0}, {0, RETRY_USEC}};

	setitimer(ITIMER_REAL, &soon, NULL);
}

/* Callbacks into Rust from COBOL context: no jump may happen meanwhile. */
int txm_enter(void)
{
	int was = inside;
	inside = 1;
	return was;
}

void txm_leave(int was)
{
	inside = was;
	/* libcob's frames lie between here and the program: not now, but soon. */
	if (!inside && async_pending) {
		async_pending = 0;
		retry_soon();
	}
}

static const char *signal_text(int sig)
{
	switch (sig) {
	case SIGSEGV: return "S0C4 protection exception";
	case SIGBUS: return "S0C5 addressing exception";
	case SIGFPE: return "S0C9 fixed-point divide exception";
	case SIGILL: return "S0C1 operation exception";
	default: return "storage violation found by the runtime";
	}
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	/* A page of task storage that nobody has touched yet. */
	if (sig == SIGSEGV && txm_open_storage((uintptr_t)info->si_addr))
		return;
	if (txm_guarded)
		siglongjmp(txm_guard, sig);
	check.signal = sig;
	check.pc = PROGRAM_COUNTER(c);
	check.address = (uintptr_t)info->si_addr;
	interrupted = txm_in_module_text(check.pc) ? check.pc : 0;
	snprintf(check.text, sizeof check.text, "%s at address %#lx", signal_text(sig),
		(unsigned long)check.address);
	txm_raise(TXM_CHECK_SIGNAL);
}

static int async_wanted(void)
{
	return slot && slot->current_task && slot->async_task == slot->current_task;
}

/* What was asked for while no program of the task ran. */
static void look_for_async(void)
{
	if (!async_pending)
		return;
	async_pending = 0;
	if (async_wanted()) {
		check.text[0] = 0;
		txm_raise(TXM_CHECK_ASYNC);
	}
}

static void on_async(int sig, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	(void)sig;
	(void)info;
	if (!async_wanted())
		return;
	if (inside || priming || !top) {
		async_pending = 1;
		return;
	}
	if (!txm_in_module_text(PROGRAM_COUNTER(c))) {
		retry_soon();
		return;
	}
	interrupted = PROGRAM_COUNTER(c);
	check.text[0] = 0;
	txm_raise(TXM_CHECK_ASYNC);
}

void txm_signals(struct txm_slot_view *view)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	static char stack[ALT_STACK_BYTES];
	stack_t alt = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action;
	size_t i;

	slot = view;
	/* libcob has handlers of its own for these, which would end the run unit. */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	memset(&action, 0, sizeof action);
	sigaltstack(&alt, NULL);
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	action.sa_sigaction = on_fault;
	for (i = 0; i < sizeof faults / sizeof *faults; i++)
		sigaction(faults[i], &action, NULL);
	action.sa_flags |= SA_RESTART;
	action.sa_sigaction = on_async;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
}

void txm_level_start(void)
{
	inside = 1;
	txm_cob.init(0, NULL);
	txm_cob.global = txm_cob.get_global_ptr();
	root.module_name = "TRANSOM";
	root.module_active = 1;
	txm_cob.global->cob_current_module = &root;
}

/* A module initialises itself: its next TXMENTRY ends that. */
int txm_priming(void)
{
	return priming;
}

/* A program of a task runs, not the initialisation of a module. */
int txm_is_running(void)
{
	return top && !priming && !inside;
}

int txm_run_level(void *entry, void *eib, void *area, int prime)
{
	typedef int (*program)(void *, void *, void *, void *, void *, void *, void *, void *);
	cob_global *g = txm_cob.global;
	/* A module may be primed in the middle of a CALL, which has set these already. */
	const int call_params = g->cob_call_params;
	const unsigned int statement_exception = g->cob_stmt_exception;
	const cob_s64_t random = txm_random_from(1);
	struct level level;
	int why;

	level.caller = g->cob_current_module;
	level.up = top;
	if (!top)
		txm_forget_locals();
	top = &level;
	priming = prime;
	priming_entry = entry;
	error_pending = 0;
	check.text[0] = 0;
	check.signal = 0;
	why = sigsetjmp(level.base, 0);
	if (!why) {
		g->cob_call_params = prime ? 0 : 2;
		inside = 0;
		if (!prime) {
			look_for_async();
			/* No CALL is active: EXIT PROGRAM goes on with the next statement. */
			g->cob_current_module = NULL;
		}
		txm_return_code = ((program)entry)(eib, area, NULL, NULL, NULL, NULL, NULL, NULL);
		g->cob_current_module = level.caller;
		inside = 1;
		why = TXM_RETURNED;
	}
	priming = 0;
	top = level.up;
	g->cob_call_params = call_params;
	g->cob_stmt_exception = statement_exception;
	txm_random_from(random);
	return why;
}

void txm_resume_at(int label)
{
	resume_label = label;
}

const struct txm_check *txm_last_check(void)
{
	return &check;
}

/* Entry of the running program. */
void *txm_current_entry(void)
{
	cob_module *m = txm_cob.global->cob_current_module;

	return m ? m->module_entry.funcvoid : NULL;
}

void txm_primed(void)
{
	if (priming)
		unwind(txm_current_entry() == priming_entry ? TXM_PRIMED : TXM_UNPRIMED);
}

int TXMENTRY(void *name, ...)
{
	int label = resume_label;

	(void)name;
	txm_primed();
	resume_label = 0;
	return label;
}

/* Hands a descriptor with its arguments to Rust. */
int txm_ask(const unsigned char *descriptor, size_t bytes, struct txm_argument *arguments, int count)
{
	int did;

	inside = 1;
	error_pending = 0;
	did = txm_dispatch(descriptor, bytes, arguments, count);
	txm_cob.global->cob_exception_code = 0;
	if (did == TXM_DO_UNWIND)
		unwind(TXM_JUMPED);
	inside = 0;
	look_for_async();
	return did;
}

int TXMEXEC(unsigned char *descriptor, ...)
{
	cob_global *g = txm_cob.global;
	cob_module *m = g->cob_current_module;
	cob_field **fields = m->cob_procedure_params;
	int given = g->cob_call_params - 1;
	int count, i;
	va_list args;

	if (priming)
		unwind(TXM_UNPRIMED);
	inside = 1;
	error_pending = 0;
	if (given < 0 || !fields || !fields[0] || fields[0]->size < 14
	 || (memcmp(descriptor, "TX\1", 3) != 0 && memcmp(descriptor, "TQ\1", 3) != 0
	  && memcmp(descriptor, "TD\1", 3) != 0)) {
		snprintf(check.text, sizeof check.text, "the command descriptor was overwritten");
		inside = 0;
		txm_raise(TXM_CHECK_DESCRIPTOR);
	}
	count = descriptor[10] < given ? descriptor[10] : given;
	/* At most 255, and as few as there are: LINK levels nest on this stack. */
	struct txm_argument arguments[count + 1];

	va_start(args, descriptor);
	for (i = 0; i < count; i++) {
		void *value = va_arg(args, void *);
		txm_describe(&arguments[i], value, fields[i + 1]);
	}
	va_end(args);
	return txm_ask(descriptor, fields[0]->size, arguments, count);
}
