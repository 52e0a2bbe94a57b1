/* Requests of a step of a job, between the C files that make them. */
#ifndef TXM_FILES_H
#define TXM_FILES_H

#include "edge.h"
#include "internal.h"

/* Statements: the first word of a request. */
enum { OPEN = 1, CLOSE, NEXT, READ, WRITE, REWRITE, DELETE, START, ACCEPT };

/* A request, and the answer in its last words. Words of the machine, as region/batch reads them. */
struct request {
	uint32_t statement;
	uint32_t file;         /* files of a step by number */
	uint32_t organization; /* COB_ORG_* */
	uint32_t access;       /* COB_ACCESS_* */
	uint32_t mode;         /* COB_OPEN_* */
	uint32_t optional;
	uint32_t record_min;
	uint32_t record_max;
	uint32_t option;       /* of CLOSE and WRITE */
	uint32_t comparison;   /* of START: COB_EQ and the others */
	uint32_t key;          /* which key */
	uint32_t features;     /* bit 0: LINAGE, bit 1: print file */
	uint32_t slot;         /* RELATIVE KEY, in and out */
	uint32_t length;       /* of the record, in and out */
	uint32_t status;       /* out */
};

static inline struct txm_argument txm_area(const void *data, size_t size)
{
	return (struct txm_argument){.data = (unsigned char *)data, .size = data ? size : 0};
}

/* Whether a statement is that of a step: not in a region, nor while a module is initialised. */
int txm_is_of_step(void);
extern void (*txm_libcob_accept)(cob_field *);

#endif
