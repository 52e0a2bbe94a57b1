/* Random numbers of a run unit.
 *
 * What: the sequence of Enterprise COBOL's FUNCTION RANDOM, a multiplicative congruential generator
 * that begins with the seed and one, without a seed with 1. Not here: the function (functions.c),
 * when a run unit begins (level.c). */

#include "internal.h"

#define MULTIPLIER 950706376LL
#define MODULUS 2147483647LL

static cob_s64_t state = 1;

cob_s64_t txm_random_from(cob_s64_t from)
{
	const cob_s64_t was = state;

	state = from;
	return was;
}

void txm_random_seed(int64_t seed)
{
	state = seed % (MODULUS - 1) + 1;
}

double txm_random_next(void)
{
	state = MULTIPLIER * state % MODULUS;
	return (double)state / MODULUS;
}
