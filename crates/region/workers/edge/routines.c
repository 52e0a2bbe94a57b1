/* Routines that a CALL by name finds in libcob and in the C library.
 *
 * What: those that work on the bytes they are given are there for every program; any other, of
 * processes, files, the terminal, and all of the C library, is no program of the region: its CALL
 * is abend APCN unless `[region] system_calls` allows it. cobc calls some of them without asking
 * for their address, so they stand here in place of libcob's own. Not here: programs of the region
 * and services of Language Environment (runtime.c). */
#define _GNU_SOURCE
#include "edge.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* libcob.h, which internal.h brings, declares the routines below in another way. */
void txm_check_text(const char *text);
void txm_raise(int kind);

static void *library;
static int all_allowed;

/* The entries of translated programs, and routines without effect outside of their arguments. */
static const char *const known[] = {
	"TXMEXEC", "TXMENTRY", "TXMHIGH", "TXMTABLE", "TXMSORT",
	"CBL_AND", "CBL_EQ", "CBL_IMP", "CBL_NIMP", "CBL_NOR", "CBL_NOT", "CBL_OR", "CBL_XOR",
	"CBL_TOLOWER", "CBL_TOUPPER", "CBL_GC_NANOSLEEP", "CBL_OC_NANOSLEEP", "CBL_GC_PRINTABLE",
	"C$CALLEDBY", "C$GETPID", "C$JUSTIFY", "C$NARG", "C$PARAMSIZE", "C$PRINTABLE", "C$SLEEP", "C$TOLOWER",
	"C$TOUPPER", "\xF4", "\xF5", "\x91",
};

void txm_routines(void *libcob, int all)
{
	library = libcob;
	all_allowed = all;
}

int txm_may_call(const char *name)
{
	size_t i;

	if (all_allowed)
		return 1;
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i], name) == 0)
			return 1;
	return 0;
}

typedef int (*routine)(void *, void *, void *, void *, void *, void *, void *, void *);

static routine allowed(const char *symbol, const char *name)
{
	routine real = all_allowed ? (routine)dlsym(library, symbol) : NULL;
	char text[128];

	if (real)
		return real;
	snprintf(text, sizeof text, "the called program %s is not available", name);
	txm_check_text(text);
	txm_raise(TXM_CHECK_MISSING_CALL);
	return NULL;
}

/* More arguments than there are do no harm: the callee does not look at them. */
#define ROUTINE(symbol, name) \
	int symbol(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h) \
	{ \
		routine real = allowed(#symbol, name); \
		return real ? real(a, b, c, d, e, f, g, h) : -1; \
	}

ROUTINE(cob_sys_system, "SYSTEM")
ROUTINE(cob_sys_fork, "CBL_GC_FORK")
ROUTINE(cob_sys_waitpid, "CBL_GC_WAITPID")
ROUTINE(cob_sys_hosted, "CBL_GC_HOSTED")
ROUTINE(cob_sys_getopt_long_long, "CBL_GC_GETOPT")
ROUTINE(cob_sys_exit_proc, "CBL_EXIT_PROC")
ROUTINE(cob_sys_error_proc, "CBL_ERROR_PROC")
ROUTINE(cob_sys_chdir, "C$CHDIR")
ROUTINE(cob_sys_change_dir, "CBL_CHANGE_DIR")
ROUTINE(cob_sys_mkdir, "C$MAKEDIR")
ROUTINE(cob_sys_create_dir, "CBL_CREATE_DIR")
ROUTINE(cob_sys_delete_dir, "CBL_DELETE_DIR")
ROUTINE(cob_sys_get_current_dir, "CBL_GET_CURRENT_DIR")
ROUTINE(cob_sys_copyfile, "C$COPY")
ROUTINE(cob_sys_copy_file, "CBL_COPY_FILE")
ROUTINE(cob_sys_file_delete, "C$DELETE")
ROUTINE(cob_sys_delete_file, "CBL_DELETE_FILE")
ROUTINE(cob_sys_rename_file, "CBL_RENAME_FILE")
ROUTINE(cob_sys_file_info, "C$FILEINFO")
ROUTINE(cob_sys_check_file_exist, "CBL_CHECK_FILE_EXIST")
ROUTINE(cob_sys_create_file, "CBL_CREATE_FILE")
ROUTINE(cob_sys_open_file, "CBL_OPEN_FILE")
ROUTINE(cob_sys_close_file, "CBL_CLOSE_FILE")
ROUTINE(cob_sys_read_file, "CBL_READ_FILE")
ROUTINE(cob_sys_write_file, "CBL_WRITE_FILE")
ROUTINE(cob_sys_flush_file, "CBL_FLUSH_FILE")
ROUTINE(cob_sys_extfh, "EXTFH")
ROUTINE(cob_sys_clear_screen, "X'E5'")
ROUTINE(cob_sys_sound_bell, "X'E5'")
ROUTINE(cob_sys_get_char, "CBL_READ_KBD_CHAR")
ROUTINE(cob_sys_get_csr_pos, "CBL_GET_CSR_POS")
ROUTINE(cob_sys_set_csr_pos, "CBL_SET_CSR_POS")
ROUTINE(cob_sys_get_scr_size, "CBL_GET_SCR_SIZE")
