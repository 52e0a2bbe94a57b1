/* Between the C files of statements: the functions of libcob that they stand in for. */
#ifndef TXM_COBOL_H
#define TXM_COBOL_H

#include "edge.h"
#include "internal.h"

extern struct txm_replaced {
	void (*display)(const int, const int, const int, ...);
	void (*unstring_init)(cob_field *, cob_field *, const size_t);
	void (*unstring_into)(cob_field *, cob_field *, cob_field *);
	cob_field *(*ord)(cob_field *);
	cob_field *(*chr)(cob_field *);
} txm_replaced;

/* In front of each use of them: they are looked up once. */
void txm_replace(void);

/* Make the linker take the files, and set what they go by. */
void txm_display_start(int separate_signs);
void txm_unstring_start(void);
void txm_collating_start(void);

#endif
