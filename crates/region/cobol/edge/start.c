/* Statements of COBOL are those of this room from now on. Not here: what they do. */
#include "cobol.h"

void txm_cobol_start(int separate_signs);

void txm_cobol_start(int separate_signs)
{
	txm_display_start(separate_signs);
	txm_unstring_start();
	txm_collating_start();
}
