/* ACCEPT from SYSIN in steps of jobs. Not here: ACCEPT FROM DATE and the like, which are libcob's. */
#define _GNU_SOURCE
#include "files.h"

#include <string.h>

enum { SYSIN_BYTES = 32760, CARD_BYTES = 80 };

void txm_accept_start(void);

/* Makes the linker take this file. */
void txm_accept_start(void)
{
}

/* The next record of SYSIN; 0: there is none. A line stands for a record of cards. */
static size_t next_card(unsigned char *card, size_t room)
{
	static const unsigned char descriptor[] = {'T', 'F', 1, 0};
	struct request r = {.statement = ACCEPT, .record_max = (uint32_t)room};
	struct txm_argument arguments[2];

	arguments[0] = txm_area(&r, sizeof r);
	arguments[1] = txm_area(card, room);
	txm_ask(descriptor, sizeof descriptor, arguments, 2);
	if (r.status >= 10)
		return 0;
	if (r.length >= CARD_BYTES)
		return r.length;
	memset(card + r.length, ' ', CARD_BYTES - r.length);
	return CARD_BYTES;
}

/* Records of SYSIN fill the item, as they are: nothing is converted, and what is left of the last
 * one is gone. At the end of SYSIN the item stays, or what is left of it is blank. */
void cob_accept(cob_field *to)
{
	static const cob_field_attr characters = {COB_TYPE_ALPHANUMERIC, 0, 0, 0, NULL};
	static unsigned char card[SYSIN_BYTES];
	cob_field from = {0, card, &characters};
	const int as_it_is = !COB_FIELD_IS_NUMERIC(to) || COB_FIELD_TYPE(to) == COB_TYPE_NUMERIC_DISPLAY;
	size_t filled = 0;

	if (!txm_is_of_step()) {
		txm_libcob_accept(to);
		return;
	}
	while (filled < to->size && (from.size = next_card(card, sizeof card)) > 0) {
		const size_t left = to->size - filled, part = from.size < left ? from.size : left;

		/* Items that z/OS does not let receive have what MOVE makes of a record. */
		if (!as_it_is) {
			txm_cob.move(&from, to);
			return;
		}
		memcpy(to->data + filled, card, part);
		filled += part;
	}
	if (filled && filled < to->size)
		memset(to->data + filled, ' ', to->size - filled);
}
