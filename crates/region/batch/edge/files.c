/* File statements of COBOL in steps of jobs.
 *
 * What: replacements for the functions of libcob that modules call for OPEN, READ and the others.
 * The executable exports them, so modules find them before libcob's own. In a step a statement
 * becomes one request to Rust, which has neither file nor data set but asks who has; in a region it
 * is libcob's, as it was. Why C: COBOL calls them, and an abend jumps over their frames. Not here:
 * any meaning of a statement, any status but its two digits. */
#define _GNU_SOURCE
#include "files.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

/* A key of an indexed file. */
struct key {
	uint32_t offset;
	uint32_t length;
};

enum { KEYS_MAX = 254 };

static struct real {
	void (*open)(cob_file *, const int, const int, cob_field *);
	void (*close)(cob_file *, cob_field *, const int, const int);
	void (*read)(cob_file *, cob_field *, cob_field *, const int);
	void (*read_next)(cob_file *, cob_field *, const int);
	void (*write)(cob_file *, cob_field *, const int, cob_field *, const unsigned int);
	void (*rewrite)(cob_file *, cob_field *, const int, cob_field *);
	void (*delete)(cob_file *, cob_field *);
	void (*start)(cob_file *, const int, cob_field *, cob_field *, cob_field *);
	void (*fatal)(const enum cob_fatal_error) __attribute__((noreturn));
	void (*set_exception)(const int);
} real;

void (*txm_libcob_accept)(cob_field *);

/* A step runs in this process. */
static int in_step;

static int known(void)
{
	const struct {
		const char *name;
		void **to;
	} wanted[] = {
		{"cob_open", (void **)&real.open},
		{"cob_close", (void **)&real.close},
		{"cob_read", (void **)&real.read},
		{"cob_read_next", (void **)&real.read_next},
		{"cob_write", (void **)&real.write},
		{"cob_rewrite", (void **)&real.rewrite},
		{"cob_delete", (void **)&real.delete},
		{"cob_start", (void **)&real.start},
		{"cob_accept", (void **)&txm_libcob_accept},
		{"cob_fatal_error", (void **)&real.fatal},
		{"cob_set_exception", (void **)&real.set_exception},
	};
	void *libcob;
	size_t i;

	if (real.set_exception)
		return 1;
	libcob = dlopen("libcob.so.4", RTLD_NOW | RTLD_NOLOAD);
	for (i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		*wanted[i].to = libcob ? dlsym(libcob, wanted[i].name) : NULL;
		if (!*wanted[i].to)
			return 0;
	}
	return 1;
}

/* File statements are those of a step from now on; 0: libcob is another one. */
int txm_files_of_step(void)
{
	in_step = known();
	return in_step;
}

/* Whether the statement is ours: not while a module is being initialised. */
int txm_is_of_step(void)
{
	if (in_step)
		txm_primed();
	else if (!known()) {
		txm_check_text("libcob has no file statements");
		txm_raise(TXM_CHECK_RUNTIME);
	}
	return in_step;
}

static uint32_t number_of(const cob_field *field)
{
	int64_t value = 0;

	if (!field || txm_get_number(field, &value) || value < 0 || value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

static struct request request_of(uint32_t statement, cob_file *f)
{
	static int count;

	if (f->fd <= 0)
		f->fd = ++count;
	return (struct request){
		.statement = statement,
		.file = (uint32_t)f->fd,
		.organization = f->organization,
		.access = f->access_mode,
		.optional = f->flag_optional,
		.record_min = (uint32_t)f->record_min,
		.record_max = (uint32_t)f->record_max,
		.features = (f->flag_select_features & COB_SELECT_LINAGE ? 1U : 0)
			| (f->flag_line_adv ? 2U : 0),
	};
}

/* Carries out a request; `key` is what is searched for. */
static void ask(cob_file *f, struct request *r, const unsigned char *key, size_t key_bytes)
{
	static const unsigned char descriptor[] = {'T', 'F', 1, 0};
	struct key keys[KEYS_MAX];
	struct txm_argument arguments[6];
	size_t count = 0;

	for (; f->organization == COB_ORG_INDEXED && count < f->nkeys && count < KEYS_MAX; count++) {
		const cob_field *field = f->keys[count].field;
		keys[count].offset = (uint32_t)(field->data - f->record->data);
		keys[count].length = (uint32_t)field->size;
	}
	arguments[0] = txm_area(r, sizeof *r);
	arguments[1] = txm_area(f->record->data, f->record_max);
	arguments[2] = txm_area(f->assign ? f->assign->data : NULL, f->assign ? f->assign->size : 0);
	arguments[3] = txm_area(f->select_name, f->select_name ? strlen(f->select_name) : 0);
	arguments[4] = txm_area(keys, count * sizeof *keys);
	arguments[5] = txm_area(key, key_bytes);
	txm_ask(descriptor, sizeof descriptor, arguments, 6);
}

/* Two digits, and what AT END, INVALID KEY and declaratives go by. */
static void finish(cob_file *f, cob_field *status, uint32_t code)
{
	static const int exceptions[10] = {
		0, COB_EC_I_O_AT_END, COB_EC_I_O_INVALID_KEY, COB_EC_I_O_PERMANENT_ERROR,
		COB_EC_I_O_LOGIC_ERROR, COB_EC_I_O_RECORD_OPERATION, COB_EC_I_O_FILE_SHARING,
		COB_EC_I_O_IMP, COB_EC_I_O_IMP, COB_EC_I_O_IMP,
	};
	const int class = code < 100 ? (int)(code / 10) : 9;

	txm_cob.global->cob_error_file = f;
	f->file_status[0] = (unsigned char)('0' + class);
	f->file_status[1] = (unsigned char)('0' + code % 10);
	if (status)
		memcpy(status->data, f->file_status, 2);
	txm_cob.global->cob_exception_code = 0;
	if (exceptions[class])
		real.set_exception(exceptions[class]);
}

/* Which key of the file a field is, or begins. */
static uint32_t key_of(const cob_file *f, const cob_field *field)
{
	uint32_t i = 0;

	while (i < f->nkeys && f->keys[i].field->data != field->data)
		i++;
	return i < f->nkeys ? i : 0;
}

static cob_field *relative_key(const cob_file *f)
{
	return f->organization == COB_ORG_RELATIVE && f->nkeys ? f->keys[0].field : NULL;
}

/* Of a record that was read: its length and its number. */
static void give(cob_file *f, const struct request *r)
{
	if (r->status >= 10)
		return;
	if (f->variable_record)
		txm_set_number(f->variable_record, r->length);
	if (f->record_min != f->record_max)
		f->record->size = r->length;
	if (relative_key(f) && r->slot)
		txm_set_number(relative_key(f), r->slot);
}

static uint32_t length_of(const cob_file *f, const cob_field *record)
{
	return f->variable_record ? number_of(f->variable_record) : (uint32_t)record->size;
}

void cob_open(cob_file *f, const int mode, const int sharing, cob_field *status)
{
	struct request r;

	if (!txm_is_of_step()) {
		real.open(f, mode, sharing, status);
		return;
	}
	r = request_of(OPEN, f);
	r.mode = (uint32_t)mode;
	ask(f, &r, NULL, 0);
	finish(f, status, r.status);
}

void cob_close(cob_file *f, cob_field *status, const int option, const int remap)
{
	struct request r;

	if (!txm_is_of_step()) {
		real.close(f, status, option, remap);
		return;
	}
	/* CANCEL closes what is open. */
	if (remap && f->fd <= 0)
		return;
	r = request_of(CLOSE, f);
	r.option = (uint32_t)option;
	ask(f, &r, NULL, 0);
	if (!remap)
		finish(f, status, r.status);
}

void cob_read_next(cob_file *f, cob_field *status, const int option)
{
	struct request r;

	if (!txm_is_of_step()) {
		real.read_next(f, status, option);
		return;
	}
	r = request_of(NEXT, f);
	ask(f, &r, NULL, 0);
	give(f, &r);
	finish(f, status, r.status);
}

void cob_read(cob_file *f, cob_field *key, cob_field *status, const int option)
{
	struct request r;

	if (!txm_is_of_step()) {
		real.read(f, key, status, option);
		return;
	}
	r = request_of(READ, f);
	r.slot = number_of(relative_key(f));
	if (f->organization == COB_ORG_INDEXED && key)
		r.key = key_of(f, key);
	else
		key = NULL;
	ask(f, &r, key ? key->data : NULL, key ? key->size : 0);
	give(f, &r);
	finish(f, status, r.status);
}

void cob_write(cob_file *f, cob_field *record, const int option, cob_field *status,
	const unsigned int eop)
{
	struct request r;

	if (!txm_is_of_step()) {
		real.write(f, record, option, status, eop);
		return;
	}
	r = request_of(WRITE, f);
	r.option = (uint32_t)option;
	r.length = length_of(f, record);
	r.slot = number_of(relative_key(f));
	f->record->size = record->size;
	ask(f, &r, NULL, 0);
	if (r.status < 10 && f->access_mode == COB_ACCESS_SEQUENTIAL && relative_key(f) && r.slot)
		txm_set_number(relative_key(f), r.slot);
	finish(f, status, r.status);
}

void cob_rewrite(cob_file *f, cob_field *record, const int option, cob_field *status)
{
	struct request r;

	if (!txm_is_of_step()) {
		real.rewrite(f, record, option, status);
		return;
	}
	r = request_of(REWRITE, f);
	r.length = length_of(f, record);
	r.slot = number_of(relative_key(f));
	f->record->size = record->size;
	ask(f, &r, NULL, 0);
	finish(f, status, r.status);
}

void cob_delete(cob_file *f, cob_field *status)
{
	struct request r;

	if (!txm_is_of_step()) {
		real.delete(f, status);
		return;
	}
	r = request_of(DELETE, f);
	r.slot = number_of(relative_key(f));
	ask(f, &r, NULL, 0);
	finish(f, status, r.status);
}

void cob_start(cob_file *f, const int comparison, cob_field *key, cob_field *size, cob_field *status)
{
	struct request r;

	if (!txm_is_of_step()) {
		real.start(f, comparison, key, size, status);
		return;
	}
	r = request_of(START, f);
	r.comparison = (uint32_t)comparison;
	r.slot = number_of(relative_key(f));
	if (f->organization == COB_ORG_INDEXED && key) {
		size_t bytes = size ? number_of(size) : key->size;

		r.key = key_of(f, key);
		ask(f, &r, key->data, bytes < key->size ? bytes : key->size);
	} else {
		ask(f, &r, NULL, 0);
	}
	finish(f, status, r.status);
}

/* A statement failed, and the program says nowhere what happens then. */
void cob_fatal_error(const enum cob_fatal_error why)
{
	const cob_file *f = txm_cob.global ? txm_cob.global->cob_error_file : NULL;

	char text[128];

	if (in_step && why == COB_FERROR_FILE && f) {
		snprintf(text, sizeof text, "4038 file %.30s has status %.2s, and the program says nowhere "
			"what happens then", f->select_name, (const char *)f->file_status);
		txm_check_text(text);
		txm_raise(TXM_CHECK_ABEND);
	}
	if (!known())
		_exit(TXM_EXIT_STOP);
	real.fatal(why);
}
