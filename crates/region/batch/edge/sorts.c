/* SORT and MERGE with files, in steps of jobs.
 *
 * What: USING and GIVING, which libcob would do with files of the operating system: here they are
 * OPEN, READ, WRITE and CLOSE as in files.c. Records of files with several lengths keep theirs:
 * libcob sorts them with the length behind. Why C: COBOL calls it. Not here: the sorting, which is
 * libcob's, and which statement it is: the translator says it by TXMSORT in front. */
#define _GNU_SOURCE
#include "files.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 32, KEYS_MAX = 64, LENGTH = sizeof(uint32_t), FAILED = 16 };

static struct real {
	void (*init)(cob_file *, unsigned int, const unsigned char *, void *, cob_field *);
	void (*init_key)(cob_file *, cob_field *, int, unsigned int);
	void (*release)(cob_file *);
	void (*give_back)(cob_file *);
	int (*compare)(cob_field *, cob_field *);
} real;

/* What the translator says of a statement: SORT or MERGE, whether the program asks for
 * SORT-RETURN, whether it has an OUTPUT or an INPUT PROCEDURE; of each file whether it has a
 * FILE STATUS. */
struct said {
	char kind, asks, output, input;
	cob_field *status[FILES_MAX];
	int files;
};

struct key {
	cob_field *field;
	int descending;
	unsigned int offset;
};

static struct said next;

/* The sort that goes on. */
static struct sort {
	struct said said;
	struct key keys[KEYS_MAX];
	size_t key_count;
	const unsigned char *collating;
	int *result;
	int file;       /* the next of USING and GIVING */
	int failed;
	size_t length;  /* of the record that came back last */
} sort;

static unsigned char *room, *before; /* a record with its length, and the one before */

/* Makes the linker take this file. */
void txm_sorts_start(void)
{
}

static void known(void)
{
	const struct {
		const char *name;
		void **to;
	} wanted[] = {
		{"cob_file_sort_init", (void **)&real.init},
		{"cob_file_sort_init_key", (void **)&real.init_key},
		{"cob_file_release", (void **)&real.release},
		{"cob_file_return", (void **)&real.give_back},
		{"cob_numeric_cmp", (void **)&real.compare},
	};
	void *libcob;
	size_t i;

	if (real.compare)
		return;
	libcob = dlopen("libcob.so.4", RTLD_NOW | RTLD_NOLOAD);
	for (i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		*wanted[i].to = libcob ? dlsym(libcob, wanted[i].name) : NULL;
		if (!*wanted[i].to) {
			txm_check_text("libcob has no SORT");
			txm_raise(TXM_CHECK_RUNTIME);
		}
	}
}

/* The task ends: nothing else would say that the sort did not come about. */
static void end(const char *name, const char *why)
{
	char text[160];

	snprintf(text, sizeof text, "4038 SORT or MERGE of %.30s: %s", name, why);
	txm_check_text(text);
	txm_raise(TXM_CHECK_ABEND);
}

int TXMSORT(void *text, ...)
{
	cob_field **fields = txm_cob.global->cob_current_module->cob_procedure_params;
	const unsigned char *said = fields[0]->data;
	const int files = (int)fields[0]->size - 4;
	int i, at = 1;

	(void)text;
	next = (struct said){(char)said[0], (char)said[1], (char)said[2], (char)said[3], {NULL}, 0};
	for (i = 0; i < files && i < FILES_MAX; i++)
		next.status[i] = said[4 + i] == 'Y' ? fields[at++] : NULL;
	next.files = i;
	return 0;
}

static int varies(const cob_file *f)
{
	return f->record_min != f->record_max;
}

void cob_file_sort_init(cob_file *f, const unsigned int keys, const unsigned char *collating,
	void *result, cob_field *status)
{
	const size_t bytes = f->record_max + LENGTH, size = f->record->size;

	known();
	sort = (struct sort){.said = next, .collating = collating, .result = result};
	if (!collating)
		sort.collating = txm_cob.global->cob_current_module->collating_sequence;
	next = (struct said){0};
	free(room);
	free(before);
	room = calloc(1, bytes);
	before = calloc(1, bytes);
	if (!room || !before)
		end(f->select_name, "there is no storage for its record");
	if (varies(f))
		f->record_max = f->record->size = bytes;
	real.init(f, keys, collating, result, status);
	f->record_max = bytes - LENGTH;
	f->record->size = size;
	*sort.result = 0;
}

void cob_file_sort_init_key(cob_file *f, cob_field *field, const int flag, const unsigned int offset)
{
	known();
	if (sort.key_count < KEYS_MAX)
		sort.keys[sort.key_count++] = (struct key){field, flag != 0, offset};
	real.init_key(f, field, flag, offset);
}

/* Calls libcob with a record that has its length behind. */
static void with_length(cob_file *f, void (*call)(cob_file *))
{
	unsigned char *data = f->record->data;
	cob_field *variable = f->variable_record;
	const size_t size = f->record->size, most = f->record_max;

	f->record->data = room;
	f->variable_record = NULL;
	f->record->size = f->record_max = most + LENGTH;
	call(f);
	f->record->data = data;
	f->variable_record = variable;
	f->record->size = size;
	f->record_max = most;
}

static void release(cob_file *f, size_t length)
{
	const uint32_t number = (uint32_t)length;

	if (!varies(f)) {
		real.release(f);
		return;
	}
	memcpy(room, f->record->data, length);
	memset(room + length, ' ', f->record_max - length);
	memcpy(room + f->record_max, &number, LENGTH);
	with_length(f, real.release);
}

void cob_file_release(cob_file *f)
{
	int64_t length = (int64_t)f->record_max;

	known();
	if (varies(f) && f->variable_record)
		txm_get_number(f->variable_record, &length);
	if (length < (int64_t)f->record_min || length > (int64_t)f->record_max)
		end(f->select_name, "a record was released with a length that it cannot have");
	release(f, (size_t)length);
}

void cob_file_return(cob_file *f)
{
	uint32_t length;

	known();
	sort.length = f->record_max;
	if (!varies(f)) {
		real.give_back(f);
		return;
	}
	with_length(f, real.give_back);
	if (txm_cob.global->cob_exception_code)
		return;
	memcpy(f->record->data, room, f->record_max);
	memcpy(&length, room + f->record_max, LENGTH);
	sort.length = length;
	if (f->variable_record)
		txm_set_number(f->variable_record, length);
}

/* Whether the record may stand behind the one before, as MERGE wants it. */
static int in_order(const cob_file *f)
{
	size_t k, i;

	for (k = 0; k < sort.key_count; k++) {
		const struct key *key = &sort.keys[k];
		cob_field a = *key->field, b = *key->field;
		int order = 0;

		a.data = before + key->offset;
		b.data = f->record->data + key->offset;
		if (COB_FIELD_IS_NUMERIC(&a))
			order = real.compare(&a, &b);
		else if (!sort.collating)
			order = memcmp(a.data, b.data, a.size);
		else
			for (i = 0; !order && i < a.size; i++)
				order = sort.collating[a.data[i]] - sort.collating[b.data[i]];
		if (order)
			return (order < 0) != key->descending;
	}
	return 1;
}

/* The sort has failed: SORT-RETURN is 16 for a program that asks. */
static void fail(const char *name, const char *why)
{
	if (sort.said.asks != 'R')
		end(name, why);
	if (sort.said.output == 'O')
		end(name, "its input failed, and OUTPUT PROCEDURE would run without records");
	sort.failed = 1;
	*sort.result = FAILED;
}

/* A statement of a file failed; without FILE STATUS the program ends. */
static void fail_file(cob_file *f, const cob_field *status)
{
	if (!status)
		cob_fatal_error(COB_FERROR_FILE);
	fail(f->select_name, "a file failed, and the program does not ask for SORT-RETURN");
}

static int status_of(const cob_file *f)
{
	return (f->file_status[0] - '0') * 10 + f->file_status[1] - '0';
}

static cob_field *next_status(const cob_file *f)
{
	if (!txm_is_of_step())
		end(f->select_name, "programs of a region have INPUT and OUTPUT PROCEDURE");
	if (sort.file >= sort.said.files)
		end(f->select_name, "its files are not known");
	return sort.said.status[sort.file++];
}

/* The record of a file becomes one of the sort; 0: it cannot. */
static int take(cob_file *f, cob_file *in, int first)
{
	const size_t length = varies(in) ? in->record->size : in->record_max;

	if (length > f->record_max || (varies(f) && length < f->record_min)) {
		fail(f->select_name, "a record of USING has a length that those of the sort cannot have");
		return 0;
	}
	memmove(f->record->data, in->record->data, length);
	memset(f->record->data + length, ' ', f->record_max - length);
	if (sort.said.kind == 'M') {
		if (!first && !in_order(f)) {
			fail(f->select_name, "a file of MERGE is not in order");
			return 0;
		}
		memcpy(before, f->record->data, f->record_max);
	}
	release(f, length);
	return 1;
}

void cob_file_sort_using(cob_file *f, cob_file *in)
{
	cob_field *status = next_status(in);
	const unsigned char access = in->access_mode;
	int code, first = 1;

	if (sort.failed)
		return;
	in->access_mode = COB_ACCESS_SEQUENTIAL;
	cob_open(in, COB_OPEN_INPUT, 0, status);
	if (status_of(in) >= 10) {
		in->access_mode = access;
		fail_file(in, status);
		return;
	}
	for (;; first = 0) {
		cob_read_next(in, status, COB_READ_NEXT);
		code = status_of(in);
		if (code >= 10 || code == 4 || !take(f, in, first))
			break;
	}
	if (code != 10 && !sort.failed)
		fail_file(in, status);
	cob_close(in, sort.failed ? NULL : status, 0, 0);
	in->access_mode = access;
	txm_cob.global->cob_exception_code = 0;
}

/* Writes the record that came back; 0: it failed. */
static int put(cob_file *f, cob_file *out, cob_field *status)
{
	cob_field record = *out->record;
	const size_t length = sort.length;

	if (length > out->record_max || (varies(out) && length < out->record_min)) {
		fail(f->select_name, "a record has a length that those of a file of GIVING cannot have");
		return 0;
	}
	memmove(out->record->data, f->record->data, length);
	memset(out->record->data + length, ' ', out->record_max - length);
	record.size = varies(out) ? length : out->record_max;
	if (out->variable_record)
		txm_set_number(out->variable_record, (int64_t)record.size);
	cob_write(out, &record, 0, status, 0);
	out->record->size = out->record_max;
	if (status_of(out) < 10)
		return 1;
	fail_file(out, status);
	return 0;
}

static void give_all(cob_file *f, cob_file **files, cob_field **status, size_t count)
{
	size_t i;

	for (;;) {
		cob_file_return(f);
		if (txm_cob.global->cob_exception_code)
			return;
		for (i = 0; i < count; i++)
			if (!put(f, files[i], status[i]))
				return;
	}
}

void cob_file_sort_giving(cob_file *f, const size_t count, ...)
{
	cob_file *files[FILES_MAX];
	cob_field *status[FILES_MAX];
	unsigned char access[FILES_MAX];
	size_t i, opened;
	va_list list;

	va_start(list, count);
	for (i = 0; i < count && i < FILES_MAX; i++) {
		files[i] = va_arg(list, cob_file *);
		status[i] = next_status(files[i]);
	}
	va_end(list);
	if (sort.failed || *sort.result == FAILED)
		return;
	if (varies(f) && !f->variable_record && sort.said.input == 'I')
		end(f->select_name, "lengths of released records are known by RECORD VARYING .. DEPENDING ON");
	for (opened = 0; opened < i && !sort.failed; opened++) {
		cob_file *out = files[opened];

		access[opened] = out->access_mode;
		out->access_mode = COB_ACCESS_SEQUENTIAL;
		cob_open(out, COB_OPEN_OUTPUT, 0, status[opened]);
		if (status_of(out) >= 10) {
			out->access_mode = access[opened];
			fail_file(out, status[opened]);
			break;
		}
	}
	if (!sort.failed)
		give_all(f, files, status, count);
	for (i = 0; i < opened; i++) {
		const int was = status_of(files[i]);

		cob_close(files[i], was < 10 ? status[i] : NULL, 0, 0);
		files[i]->access_mode = access[i];
		if (!sort.failed && status_of(files[i]) >= 10)
			fail_file(files[i], status[i]);
	}
	txm_cob.global->cob_exception_code = 0;
}
