/* The functions of libcob that statements here stand in for. Not here: what replaces them. */
#define _GNU_SOURCE
#include "cobol.h"

#include <dlfcn.h>

struct txm_replaced txm_replaced;

void txm_replace(void)
{
	const struct {
		const char *name;
		void **to;
	} wanted[] = {
		{"cob_display", (void **)&txm_replaced.display},
		{"cob_unstring_init", (void **)&txm_replaced.unstring_init},
		{"cob_unstring_into", (void **)&txm_replaced.unstring_into},
		{"cob_intr_ord", (void **)&txm_replaced.ord},
		{"cob_intr_char", (void **)&txm_replaced.chr},
	};
	void *libcob;
	size_t i;

	if (txm_replaced.chr)
		return;
	/* It is open already: nothing is read. */
	libcob = dlopen("libcob.so.4", RTLD_NOW | RTLD_NOLOAD);
	for (i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		*wanted[i].to = libcob ? dlsym(libcob, wanted[i].name) : NULL;
		if (!*wanted[i].to) {
			txm_replaced.chr = NULL;
			txm_check_text("libcob lacks functions of DISPLAY, UNSTRING, ORD or CHAR");
			txm_raise(TXM_CHECK_RUNTIME);
		}
	}
}
