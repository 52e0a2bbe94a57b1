/* Intermediate results of fixed-point arithmetic as Enterprise COBOL has them.
 *
 * Why: behind each operation but the last of a statement, the compiler cuts to the most decimal
 * places that the statement's receivers and operands have (dmax; divisors do not count). The
 * mainframe keeps all decimal places of a product, a sum and a difference, and of a quotient those
 * of the dividend less those of the divisor, or dmax where that is more. Source: "Fixed-point data
 * and intermediate results" of the Enterprise COBOL programming guide. Not here: floating point,
 * which is not cut (floating.c), and the limit of 30 digits. */
#include "edge.h"
#include "internal.h"

/* The operation that a decimal is the result of. */
static struct {
	const cob_decimal *of;
	enum txm_operation operation;
	int places;
} last;

void txm_note_operation(const cob_decimal *to, enum txm_operation operation, int places)
{
	last.of = to;
	last.operation = operation;
	last.places = places;
}

/* Called by programs with dmax. */
void cob_decimal_align(cob_decimal *value, const int dmax)
{
	int places = dmax;

	/* Where one operand is floating point, all are. */
	if (last.of != value || last.operation == TXM_EXACT || txm_floating.count)
		return;
	if (last.operation == TXM_QUOTIENT && last.places > places)
		places = last.places;
	if (value->scale > places)
		txm_cob.decimal_align(value, places);
}
