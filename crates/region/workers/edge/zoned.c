/* Zoned and packed items that hold other bytes than digits, as the instructions of the mainframe
 * take them under Enterprise COBOL 4, which is ZONEDATA(MIG) of version 6.
 *
 * Why: arithmetic and comparison pack a zoned item first. PACK takes the right half of each byte,
 * so blanks and low-values are zeros; the sign of an unsigned item is forced. What is left for a
 * data exception (S0C7): a sign that is none in a signed item, and a right half above 9. What:
 * replacements for the libcob functions that read such items. Programs hold ISO 8859-1 characters,
 * and what a byte's halves are is a matter of the EBCDIC byte it stands for. Not here: IF NUMERIC,
 * which is libcob's, and comparisons with characters, which compare characters. */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <string.h>

/* What a zoned item is. From BAD_SIGN on it raises a data exception where it is computed with. */
enum { AS_IT_IS, CLEANED, BAD_SIGN, BAD_DIGIT };

static int by_characters; /* ZONEDATA(PFD): digits are compared as characters */
static int check_all;     /* NUMCHECK: whatever a class test refuses raises */

/* Characters of X'FA' to X'FF': digits that are none, as UNPK leaves them. */
static const unsigned char no_digit[6] = {0xB3, 0xDB, 0xDC, 0xD9, 0xDA, 0x9F};

void txm_data_rules(int compare_characters, int numeric_check)
{
	by_characters = compare_characters;
	check_all = numeric_check;
}

static int sign_place(const cob_field *field)
{
	if (!COB_FIELD_HAVE_SIGN(field))
		return -1;
	return COB_FIELD_SIGN_LEADING(field) ? 0 : (int)field->size - 1;
}

static int clean_sign(unsigned char byte, int separate, unsigned char *clean)
{
	const int zone = txm_ebcdic[byte] >> 4, digit = txm_ebcdic[byte] & 0x0F;

	*clean = byte;
	if (separate) {
		if (byte == '+' || byte == '-')
			return AS_IT_IS;
		*clean = '+';
		return BAD_SIGN;
	}
	if ((byte >= '0' && byte <= '9') || byte == '{' || byte == '}' || (byte >= 'A' && byte <= 'R'))
		return AS_IT_IS;
	*clean = '{';
	if (digit > 9)
		return BAD_DIGIT;
	*clean = (unsigned char)(zone == 0xB || zone == 0xD ? "}JKLMNOPQR" : "{ABCDEFGHI")[digit];
	return zone < 0xA ? BAD_SIGN : CLEANED;
}

/* Reads a zoned item as PACK does; clean has room for all of it, and is not used AS_IT_IS. */
static int clean_digits(const cob_field *field, unsigned char *clean)
{
	const int sign = sign_place(field);
	int worst = AS_IT_IS, found;
	int i;

	if (field->size > TXM_DIGITS + 1)
		return AS_IT_IS;
	if (!COB_FIELD_SIGN_SEPARATE(field) && txm_all_digits(field->data, field->size))
		return AS_IT_IS;
	for (i = 0; i < (int)field->size; i++) {
		const unsigned char byte = field->data[i];

		clean[i] = byte;
		if (i == sign)
			found = clean_sign(byte, COB_FIELD_SIGN_SEPARATE(field) != 0, &clean[i]);
		else if (byte >= '0' && byte <= '9')
			continue;
		else {
			found = (txm_ebcdic[byte] & 0x0F) > 9 ? BAD_DIGIT : CLEANED;
			clean[i] = found == CLEANED ? (unsigned char)('0' + (txm_ebcdic[byte] & 0x0F)) : '0';
		}
		if (found > worst)
			worst = found;
	}
	return worst;
}

static int is_zoned(const cob_field *field)
{
	return COB_FIELD_TYPE(field) == COB_TYPE_NUMERIC_DISPLAY;
}

static int is_valid_packed(const cob_field *field)
{
	size_t i;

	for (i = 0; i < field->size; i++) {
		const unsigned char low = field->data[i] & 0x0F;

		if (field->data[i] >> 4 > 9 || (i + 1 < field->size ? low > 9 : low < 0xA))
			return 0;
	}
	return 1;
}

static void data_exception(const cob_field *field)
{
	char text[2 * (TXM_DIGITS + 1) + 80];
	size_t i, at;

	at = (size_t)sprintf(text, "S0C7 data exception: a %s item is not numeric: X'",
		is_zoned(field) ? "zoned" : "packed");
	for (i = 0; i < field->size && i <= TXM_DIGITS; i++)
		at += (size_t)sprintf(text + at, "%02X", field->data[i]);
	strcpy(text + at, "'");
	txm_check_text(text);
	txm_raise(TXM_CHECK_DATA);
}

/* The item as arithmetic reads it: itself, or a copy with digits. */
static cob_field *readable(cob_field *field, cob_field *copy, unsigned char *room)
{
	int found;

	field = txm_usual_sign(field, copy, room);
	if (!is_zoned(field) || (found = clean_digits(field, room)) == AS_IT_IS)
		return field;
	if (found >= BAD_SIGN || check_all)
		data_exception(field);
	*copy = *field;
	copy->data = room;
	return copy;
}

/* And as comparisons and subscripts read it, where packed items were not checked before. */
static cob_field *comparable(cob_field *field, cob_field *copy, unsigned char *room)
{
	if (COB_FIELD_TYPE(field) == COB_TYPE_NUMERIC_PACKED
	 && !(field->attr->flags & COB_FLAG_NO_SIGN_NIBBLE) && !is_valid_packed(field))
		data_exception(field);
	return readable(field, copy, room);
}

/* Statements that move characters and never check them. */
static int moves_characters(const char *name)
{
	static const char *const names[] = {"DISPLAY", "STRING", "UNSTRING", "INSPECT", "INITIALIZE"};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return 1;
	return 0;
}

static void look(const cob_field *field, const char *name)
{
	txm_looking_at_data = 1;
	txm_cob.check_numeric(field, name);
	txm_looking_at_data = 0;
}

/* Called in front of statements with numeric operands: most are digits. cob_move checks what a
 * MOVE needs. */
void cob_check_numeric(const cob_field *field, const char *name)
{
	unsigned char room[TXM_DIGITS + 1];
	const char *statement;

	if (!is_zoned(field)) {
		/* Arithmetic takes all six signs, a class test three of them. */
		if (check_all || COB_FIELD_TYPE(field) != COB_TYPE_NUMERIC_PACKED
		 || COB_FIELD_NO_SIGN_NIBBLE(field) || !is_valid_packed(field))
			look(field, name);
		return;
	}
	if (!check_all && clean_digits(field, room) < BAD_SIGN)
		return;
	statement = txm_statement();
	if (moves_characters(statement) || (!check_all && strcmp(statement, "MOVE") == 0))
		return;
	look(field, name);
	if (!check_all)
		data_exception(field); /* libcob found nothing: a separate sign */
}

/* Zoned to zoned needs no valid digit: the bytes that have none are carried on. */
static void carry_on(const cob_field *from, cob_field *to)
{
	const int sign = sign_place(to);
	int i, at;

	for (i = 0; i < (int)from->size; i++) {
		const int digit = txm_ebcdic[from->data[i]] & 0x0F;

		at = i - sign_place(from) == 0 ? -1
			: (int)to->size - (int)from->size + i + COB_FIELD_SCALE(from) - COB_FIELD_SCALE(to);
		if (digit > 9 && at >= 0 && at < (int)to->size && at != sign)
			to->data[at] = no_digit[digit - 10];
	}
}

/* Nor does it need a sign: the receiver has the same that is none, and its arithmetic finds it. */
static void carry_sign(const cob_field *from, cob_field *to)
{
	unsigned char *byte = &to->data[sign_place(to)];
	const int wanted = (txm_ebcdic[from->data[sign_place(from)]] & 0xF0) | (txm_ebcdic[*byte] & 0x0F);
	int i;

	for (i = 0; i < 256 && txm_ebcdic[i] != wanted; i++)
		;
	*byte = (unsigned char)i;
}

static void move_zoned(cob_field *from, cob_field *to)
{
	unsigned char room[TXM_DIGITS + 1];
	cob_field copy = *from;
	int found = clean_digits(from, room);

	copy.data = room;
	/* A separate sign is looked at in every MOVE. */
	if (found == BAD_SIGN && (COB_FIELD_SIGN_SEPARATE(from) || COB_FIELD_SIGN_SEPARATE(to)))
		data_exception(from);
	if (is_zoned(to)) {
		txm_cob.move(found == AS_IT_IS ? from : &copy, to);
		if (found == BAD_SIGN && COB_FIELD_HAVE_SIGN(to))
			carry_sign(from, to);
		if (found == BAD_DIGIT && !COB_FIELD_SIGN_SEPARATE(from) && !COB_FIELD_SIGN_SEPARATE(to))
			carry_on(from, to);
		return;
	}
	/* ZAP and CVB want a sign, ED does not. */
	if (found == BAD_DIGIT || (found == BAD_SIGN && COB_FIELD_TYPE(to) != COB_TYPE_NUMERIC_EDITED))
		data_exception(from);
	if (found == AS_IT_IS)
		copy = *from;
	if (!txm_move_floating(&copy, to))
		txm_move(&copy, to);
}

void cob_move(cob_field *from, cob_field *to)
{
	const int numeric = COB_FIELD_IS_NUMERIC(to) || COB_FIELD_TYPE(to) == COB_TYPE_NUMERIC_EDITED;
	unsigned char room[TXM_DIGITS + 1];
	cob_field digits, copy;

	from = txm_usual_sign(from, &copy, room);
	to = txm_held(to);
	if (numeric && txm_as_number(from, to, &digits))
		move_zoned(&digits, to);
	else if (is_zoned(from) && numeric)
		move_zoned(from, to);
	else if ((!txm_has_p(to) || !txm_move_scaled(from, to))
	 && ((!txm_is_float(from) && !txm_is_float(to)) || !txm_move_floating(from, to)))
		txm_move(from, to);
}

/* The order of two texts on the mainframe. */
static int text_order(const unsigned char *a, const unsigned char *b, size_t size)
{
	size_t i;

	for (i = 0; i < size && a[i] == b[i]; i++)
		;
	return i == size ? 0 : txm_ebcdic[a[i]] < txm_ebcdic[b[i]] ? -1 : 1;
}

/* An unsigned item against a number, as characters where that is the rule. */
static int differs_from(const cob_field *field, cob_s64_t number, int *answer)
{
	unsigned char room[TXM_DIGITS + 1];
	char text[TXM_DIGITS + 2];

	if (!by_characters || !is_zoned(field) || COB_FIELD_HAVE_SIGN(field) || COB_FIELD_SCALE(field)
	 || number < 0 || field->size > TXM_DIGITS || clean_digits(field, room) == AS_IT_IS
	 || snprintf(text, sizeof text, "%0*lld", (int)field->size, (long long)number)
		 != (int)field->size)
		return 0;
	*answer = text_order(field->data, (unsigned char *)text, field->size);
	return 1;
}

static int alike(const cob_field *a, const cob_field *b)
{
	return is_zoned(a) && is_zoned(b) && !COB_FIELD_HAVE_SIGN(a) && !COB_FIELD_HAVE_SIGN(b)
		&& a->size == b->size && COB_FIELD_SCALE(a) == COB_FIELD_SCALE(b);
}

int cob_numeric_cmp(cob_field *a, cob_field *b)
{
	unsigned char room_a[TXM_DIGITS + 1], room_b[TXM_DIGITS + 1];
	cob_field copy_a, copy_b;
	int answer;

	if (by_characters && alike(a, b))
		return text_order(a->data, b->data, a->size);
	a = comparable(a, &copy_a, room_a);
	b = comparable(b, &copy_b, room_b);
	return txm_compare_floating(a, b, &answer) ? answer : txm_cob.numeric_cmp(a, b);
}

int cob_cmp_numdisp(const unsigned char *data, const size_t size, const cob_s64_t number,
	const cob_u32_t has_sign)
{
	const cob_field_attr attr = {COB_TYPE_NUMERIC_DISPLAY, (unsigned short)size, 0,
		has_sign ? COB_FLAG_HAVE_SIGN : 0, NULL};
	cob_field field = {size, (unsigned char *)data, &attr};
	unsigned char room[TXM_DIGITS + 1];
	cob_field copy;
	int answer;

	if (differs_from(&field, number, &answer))
		return answer;
	return txm_cob.cmp_numdisp(readable(&field, &copy, room)->data, size, number, has_sign);
}

/* Functions of an item and a number. */
#define COMPARISON(name, number_type) \
	int cob_##name(cob_field *field, const number_type number) \
	{ \
		unsigned char room[TXM_DIGITS + 1]; \
		cob_field copy; \
		int answer; \
		if (differs_from(field, number, &answer) || txm_compare_number(field, number, &answer)) \
			return answer; \
		return txm_cob.name(comparable(field, &copy, room), number); \
	}
COMPARISON(cmp_int, int)
COMPARISON(cmp_uint, unsigned int)
COMPARISON(cmp_llint, cob_s64_t)
COMPARISON(cmp_packed, cob_s64_t)

/* Operands of computations. */
void cob_decimal_set_field(cob_decimal *to, cob_field *from)
{
	unsigned char room[TXM_DIGITS + 1];
	cob_field copy;

	if (!txm_set_floating(to, from))
		txm_cob.decimal_set_field(to, readable(from, &copy, room));
}

/* Subscripts, counts. */
int cob_get_int(cob_field *field)
{
	unsigned char room[TXM_DIGITS + 1];
	cob_field copy;

	return txm_cob.get_int(comparable(field, &copy, room));
}

cob_s64_t cob_get_llint(cob_field *field)
{
	unsigned char room[TXM_DIGITS + 1];
	cob_field copy;

	return txm_cob.get_llint(comparable(field, &copy, room));
}

/* libcob adds to the digits of the item itself. On SIZE ERROR the item keeps what it has. */
static int add_number(cob_field *field, int number, int options,
	int (*add)(cob_field *, int, int))
{
	unsigned char room[TXM_DIGITS + 1];
	cob_field copy;
	cob_field *to = readable(field, &copy, room);
	int answer;
	if (txm_has_p(to))
		return txm_add_scaled(to, add == txm_cob.sub_int ? -(cob_s64_t)number : number, options);
	answer = add(to, number, options);
	if (to->data == room && (!answer || !(options & COB_STORE_KEEP_ON_OVERFLOW)))
		memcpy(field->data, room, field->size);
	return answer;
}

int cob_add_int(cob_field *field, const int number, const int options)
{
	return add_number(field, number, options, txm_cob.add_int);
}

int cob_sub_int(cob_field *field, const int number, const int options)
{
	return add_number(field, number, options, txm_cob.sub_int);
}
