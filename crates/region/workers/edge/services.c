/* Callable services of Language Environment and of Db2, as COBOL calls them.
 *
 * Why in C: what a program passes may lie nowhere, and a fault must not jump over Rust frames. So
 * every argument is reached here first, and the service itself (Rust) sees good addresses only and
 * runs as Transom code does. What: the arguments of each service, what becomes of a bad address
 * (S0C4) and of a feedback code that nobody wants. Not here: what a service does
 * (region/language_environment). */
#define _GNU_SOURCE
#include "edge.h"
#include "internal.h"

#include <string.h>

#define ARGUMENTS 10
#define FEEDBACK 'X'

/* Arguments: v a halfword length and text, h two bytes, f three, i four, d eight, t a condition
 * token; capitals are written: T 80 characters, C 17, K a condition token, X a feedback code, which
 * may be omitted and is the last one; s an SQLCA, m a halfword length and so many bytes that are
 * written, - what nobody looks at. Without a feedback code the answer is the RETURN-CODE. The order
 * is that of the Rust side. */
static const struct {
	const char *name;
	const char *arguments;
} services[] = {
	{"CEEDAYS", "vvIX"}, {"CEEDATE", "ivTX"}, {"CEEDATM", "dvTX"}, {"CEESECS", "vvDX"},
	{"CEELOCT", "IDCX"}, {"CEEGMT", "IDX"}, {"CEEGMTO", "IIDX"}, {"CEEDYWK", "iIX"},
	{"CEECBLDY", "vvIX"}, {"CEEISEC", "iiiiiiiDX"}, {"CEESECI", "dIIIIIIIX"},
	{"CEEDCOD", "tHHHHHFIX"}, {"CEENCOD", "hhhhhfiKX"}, {"CEEMGET", "tTIX"}, {"CEEMSG", "tiX"},
	{"CEEMOUT", "viX"}, {"CEEGTST", "iiIX"}, {"CEEFRST", "iX"}, {"CEECZST", "IiX"}, {"CEEQCEN", "IX"},
	{"CEESCEN", "iX"}, {"CEECRHP", "IiiiX"}, {"CEEDSHP", "iX"}, {"CEERAN0", "IDX"},
	{"DSNTIAR", "smi"}, {"DSNTIAC", "--smi"},
};

static size_t bytes_of(char kind)
{
	switch (kind) {
	case 'f': case 'F': return 3;
	case 'i': case 'I': return 4;
	case 'd': case 'D': return 8;
	case 'T': return 80;
	case 's': return 136;
	case 'C': return 17;
	case 't': case 'K': case FEEDBACK: return 12;
	default: return 2;
	}
}

static int is_reached(const unsigned char *at, char kind)
{
	const int written = kind < 'a' || kind == 'm';
	size_t bytes = bytes_of(kind);

	if (kind == '-')
		return 1;
	if (txm_reach(at, bytes, written) < bytes)
		return 0;
	if (kind != 'v' && kind != 'm')
		return 1;
	bytes += (size_t)(at[0] << 8 | at[1]);
	return txm_reach(at, bytes, written) == bytes;
}

/* A condition of severity 2 or more that no feedback code takes and no handler sees ends the program. */
static void unhandled(const char *name, int message)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
	char text[96];

	snprintf(text, sizeof text, "4038 condition CEE%c%c%c (message %d) of %s has no feedback code",
		digits[message >> 10 & 31], digits[message >> 5 & 31], digits[message & 31], message, name);
	txm_check_text(text);
	txm_raise(TXM_CHECK_ABEND);
}

static int serve(int number, unsigned char **arguments)
{
	const char *kinds = services[number].arguments;
	const int count = (int)strlen(kinds);
	char text[96];
	int i, was, message;

	for (i = 0; i < count; i++) {
		if (i >= txm_cob.global->cob_call_params)
			arguments[i] = NULL;
		if (kinds[i] == FEEDBACK && !arguments[i])
			continue;
		if (is_reached(arguments[i], kinds[i]))
			continue;
		snprintf(text, sizeof text, "S0C4 protection exception: argument %d of %s lies nowhere",
			i + 1, services[number].name);
		txm_check_text(text);
		txm_raise(TXM_CHECK_RUNTIME);
	}
	was = txm_enter();
	message = txm_service(number, arguments);
	txm_leave(was);
	if (kinds[count - 1] != FEEDBACK)
		return message;
	if (message && !arguments[count - 1])
		unhandled(services[number].name, message);
	return 0;
}

#define ENTRY(n) \
	static int service_##n(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, \
		void *i, void *j) \
	{ \
		unsigned char *arguments[ARGUMENTS] = {a, b, c, d, e, f, g, h, i, j}; \
		return serve(n, arguments); \
	}
ENTRY(0) ENTRY(1) ENTRY(2) ENTRY(3) ENTRY(4) ENTRY(5) ENTRY(6) ENTRY(7)
ENTRY(8) ENTRY(9) ENTRY(10) ENTRY(11) ENTRY(12) ENTRY(13) ENTRY(14) ENTRY(15)
ENTRY(16) ENTRY(17) ENTRY(18) ENTRY(19) ENTRY(20) ENTRY(21) ENTRY(22) ENTRY(23)
ENTRY(24) ENTRY(25)

static int (*const entries[])(void *, void *, void *, void *, void *, void *, void *, void *, void *,
	void *) = {
	service_0, service_1, service_2, service_3, service_4, service_5, service_6, service_7,
	service_8, service_9, service_10, service_11, service_12, service_13, service_14, service_15,
	service_16, service_17, service_18, service_19, service_20, service_21, service_22, service_23,
	service_24, service_25,
};

/* The entry of a service, NULL where there is none of that name. */
void *txm_service_entry(const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof services / sizeof *services; i++)
		if (strlen(services[i].name) == length && memcmp(services[i].name, name, length) == 0)
			return (void *)entries[i];
	return NULL;
}
