/* Where the code of modules lies: only there may a signal leave a program. Not here: the signals
 * (level.c). */
#include "edge.h"
#include "internal.h"

#define MAX_TEXT_RANGES 4096

static struct { uintptr_t low, high; } ranges[MAX_TEXT_RANGES];
static volatile int range_count;

int txm_in_module_text(uintptr_t pc)
{
	int i;

	for (i = 0; i < range_count; i++)
		if (pc >= ranges[i].low && pc < ranges[i].high)
			return 1;
	return 0;
}

int txm_add_text_range(uintptr_t low, uintptr_t high)
{
	if (range_count >= MAX_TEXT_RANGES)
		return 0;
	ranges[range_count].low = low;
	ranges[range_count].high = high;
	range_count++;
	return 1;
}
