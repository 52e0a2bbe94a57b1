/* FUNCTION ORD and CHAR by the collating sequence of the program, as Enterprise COBOL has them.
 *
 * Why: libcob answers the byte, whatever the sequence is; on the mainframe ORD("A") is 194. Not
 * here: comparisons, SORT and SEARCH, which libcob makes by the sequence itself. */
#define _GNU_SOURCE
#include "cobol.h"

void txm_collating_start(void)
{
}

/* Weight of each byte, NULL for the bytes themselves. */
static const unsigned char *weights(void)
{
	const cob_module *module = txm_cob.global ? txm_cob.global->cob_current_module : NULL;

	return module ? module->collating_sequence : NULL;
}

cob_field *cob_intr_ord(cob_field *from)
{
	const unsigned char *weight = weights();
	unsigned char byte;
	cob_field copy = *from;

	txm_replace();
	if (weight && from->size) {
		byte = weight[*from->data];
		copy.data = &byte;
		copy.size = 1;
	}
	return txm_replaced.ord(&copy);
}

cob_field *cob_intr_char(cob_field *number)
{
	const unsigned char *weight = weights();
	cob_field *answer;
	int byte;

	txm_replace();
	answer = txm_replaced.chr(number);
	if (!weight || !answer || answer->size != 1)
		return answer;
	for (byte = 0; byte < 256 && weight[byte] != *answer->data; byte++)
		;
	if (byte < 256)
		*answer->data = (unsigned char)byte;
	return answer;
}
