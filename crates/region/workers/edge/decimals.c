/* Decimals as digits: from floating point and back, and rounding.
 *
 * Why digits: the C library converts between text and floating point exactly, and GMP, whose
 * numbers libcob's decimals are, between text and decimals; so no step loses anything. Not here:
 * when COBOL rounds (floating.c). */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounds so that nothing is left behind a place; a half goes away from zero. The digits have room
 * for one more. */
void txm_round_to(struct txm_number *n, int scale)
{
	size_t length = strlen(n->digits);
	size_t at;
	int up;

	if (n->scale <= scale)
		return;
	if ((size_t)(n->scale - scale) > length) {
		strcpy(n->digits, "0");
		n->scale = scale;
		return;
	}
	at = length - (size_t)(n->scale - scale);
	up = n->digits[at] >= '5';
	n->digits[at] = 0;
	n->scale = scale;
	while (up && at > 0) {
		at--;
		up = n->digits[at] == '9';
		n->digits[at] = up ? '0' : (char)(n->digits[at] + 1);
	}
	if (up || !n->digits[0]) {
		memmove(n->digits + 1, n->digits, strlen(n->digits) + 1);
		n->digits[0] = up ? '1' : '0';
	}
}

/* The last place of so many significant digits, or the receiver's, whichever is further left. */
int txm_last_place(const struct txm_number *n, int significant, int scale)
{
	int first = (int)strspn(n->digits, "0");
	int place = n->scale - ((int)strlen(n->digits) - first - significant);

	return place < scale ? place : scale;
}

/* All digits that matter of a finite number. */
void txm_expand(double value, char *digits, int *scale)
{
	char text[TXM_DIGITS + 32];
	char *exponent;
	int i, count = 0;

	/* Whatever the decimal point of the locale is, it is no digit. */
	snprintf(text, sizeof text, "%.*e", TXM_DIGITS - 1, fabs(value));
	exponent = strchr(text, 'e');
	for (i = 0; text + i < exponent; i++)
		if (text[i] >= '0' && text[i] <= '9')
			digits[count++] = text[i];
	digits[count] = 0;
	*scale = count - 1 - atoi(exponent + 1);
}

void txm_set_decimal(cob_decimal *to, const char *digits, int scale, int negative)
{
	char text[TXM_DIGITS + 3];

	snprintf(text, sizeof text, "%s%s", negative ? "-" : "", digits);
	txm_cob.mpz_from_text(to->value, text, 10);
	to->scale = scale;
}

/* Digits of a decimal with a sign in front where it is negative, in the room given or, with more,
 * in memory to free. */
char *txm_digits_of(const cob_decimal *value, char *room)
{
	size_t wanted = txm_cob.mpz_digits(value->value, 10) + 32;
	char *text = wanted <= TXM_TEXT_ROOM ? room : malloc(wanted);

	if (text)
		txm_cob.mpz_to_text(text, 10, value->value);
	return text;
}

void txm_copy_decimal(cob_decimal *to, const cob_decimal *from)
{
	char room[TXM_TEXT_ROOM];
	char *text = txm_digits_of(from, room);

	if (!text)
		return;
	txm_cob.mpz_from_text(to->value, text, 10);
	to->scale = from->scale;
	if (text != room)
		free(text);
}

/* Whether something is left behind the decimal point. */
int txm_has_fraction(const cob_decimal *value)
{
	char room[TXM_TEXT_ROOM];
	char *text = value->scale > 0 ? txm_digits_of(value, room) : NULL;
	size_t length = text ? strlen(text) : 0;
	int i, found = 0;

	for (i = 1; text && i <= value->scale && (size_t)i <= length; i++)
		found |= text[length - i] > '0';
	if (text != room)
		free(text);
	return found;
}

/* The nearest floating-point number; both forms, because rounding twice is not rounding once. */
int txm_nearest(const cob_decimal *value, double *wide, float *narrow)
{
	char room[TXM_TEXT_ROOM];
	char *text = txm_digits_of(value, room);

	if (!text)
		return 0;
	sprintf(text + strlen(text), "e%d", -value->scale);
	if (wide)
		*wide = strtod(text, NULL);
	if (narrow)
		*narrow = strtof(text, NULL);
	if (text != room)
		free(text);
	return 1;
}

/* Digits and nothing else, told eight at a time: almost every zoned item is. */
int txm_all_digits(const unsigned char *data, size_t size)
{
	uint64_t eight, wrong = 0;

	for (; size >= sizeof eight; size -= sizeof eight, data += sizeof eight) {
		memcpy(&eight, data, sizeof eight);
		eight ^= 0x3030303030303030u; /* 0 to 9, and no more than 15 when no high half is left */
		wrong |= eight | (eight + 0x7676767676767676u);
	}
	if (wrong & 0x8080808080808080u)
		return 0;
	for (; size; size--, data++)
		if (*data < '0' || *data > '9')
			return 0;
	return 1;
}
