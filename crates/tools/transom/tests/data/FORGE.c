/* A program that makes requests to the region by itself, as what its worker would send: it maps the
 * memory that both share, makes room there out of a record of a queue, writes a request and its
 * checksum, and has the region take it. Linked as cobc links modules; cobol/FORGER.cbl calls it.
 * Where things lie is compared with the executable (region/workers, shm/layout.rs). */
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SEGMENT_FD 4
#define COMPLETION_FD 6
#define DEFINITIONS_FD 10
#define PLACES 24
#define TASKS 4
#define TASKS_AT 16
#define META_AT 24
#define HEAP_AT 40
#define CHUNKS 48
#define DONE_HEAD 256
#define REGION_SLEEPS 320
#define META_BYTES 264
#define CHUNK_BYTES 65536
#define TASK_BYTES 37504
#define TASK_STATE 0
#define TASK_DONE_NEXT 8
#define TASK_NUMBER 16
#define TASK_ASKING 52
#define TASK_ASK_BYTES 96
#define TASK_ASK_SEAL 100
#define TASK_ASK_AT 104
#define MIX 0x9E3779B97F4A7C15ull
#define ASK_OWNER (1ull << 61)

/* What the COMMAREA says: how to lie, and the request; what became of it comes back. */
struct order {
	/* Task to seal for; 0: this one. */
	uint32_t task;
	uint32_t how;
	/* Length and place to say in the block, where `how` wants that. */
	uint32_t bytes;
	uint32_t length;
	uint64_t at;
	unsigned char request[600];
};

enum { SAY_BYTES = 1, SAY_AT = 2, SAY_TASK = 4, TWICE = 8, LEAVE_SEAL = 16, DEFINE = 32, OVERRUN = 64 };

static unsigned char *memory;

static uint32_t u32(size_t at)
{
	return __atomic_load_n((uint32_t *)(memory + at), __ATOMIC_SEQ_CST);
}

static uint64_t u64(size_t at)
{
	return __atomic_load_n((uint64_t *)(memory + at), __ATOMIC_SEQ_CST);
}

static void put32(size_t at, uint32_t value)
{
	__atomic_store_n((uint32_t *)(memory + at), value, __ATOMIC_SEQ_CST);
}

static void put64(size_t at, uint64_t value)
{
	__atomic_store_n((uint64_t *)(memory + at), value, __ATOMIC_SEQ_CST);
}

static uint32_t crc(uint32_t sum, const unsigned char *bytes, size_t length)
{
	sum = ~sum;
	while (length--) {
		sum ^= *bytes++;
		for (int bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
	}
	return ~sum;
}

/* EIBTASKN is packed decimal. */
static uint32_t own_number(const unsigned char *eib)
{
	uint32_t number = 0;

	for (int i = 12; i < 15; i++)
		number = number * 100 + (eib[i] >> 4) * 10 + (eib[i] & 15);
	return number * 10 + (eib[15] >> 4);
}

/* The block of the heap that the record lies in; 0: it is not found. */
static uint64_t room_of_record(const char *mark)
{
	static const uint32_t sizes[] = {32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536,
					 2048, 3072, 4096, 6144, 8192, 13104, 16384, 21840, 32768};
	uint64_t heap = u64(PLACES + HEAP_AT), meta = u64(PLACES + META_AT);

	for (uint32_t chunk = 0; chunk < u32(PLACES + CHUNKS); chunk++) {
		uint32_t kind = u32(meta + (uint64_t)chunk * META_BYTES);
		unsigned char *from = memory + heap + (uint64_t)chunk * CHUNK_BYTES, *found;

		if (kind < 16 || kind > 21)
			continue;
		found = memmem(from, CHUNK_BYTES, mark, strlen(mark));
		if (found)
			return heap + (uint64_t)chunk * CHUNK_BYTES +
			       (found - from) / sizes[kind - 1] * sizes[kind - 1];
	}
	return 0;
}

static void tell(uint64_t block, uint32_t task)
{
	uint32_t head = u32(DONE_HEAD);
	uint64_t one = 1;

	do
		put32(block + TASK_DONE_NEXT, head);
	while (!__atomic_compare_exchange_n((uint32_t *)(memory + DONE_HEAD), &head, task + 1, 0,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
	put32(REGION_SLEEPS, 0);
	if (write(COMPLETION_FD, &one, sizeof one) < 0)
		return;
}

/* Which ways lead to a store over what is defined, a bit each; bit 0: it can be read. */
static uint32_t ways_to_definitions(uint32_t how)
{
	unsigned char byte = 0, *all;
	struct stat found;
	uint32_t ways = 0;

	if (fstat(DEFINITIONS_FD, &found) < 0 || found.st_size == 0)
		return 0;
	all = mmap(NULL, found.st_size, PROT_READ, MAP_SHARED, DEFINITIONS_FD, 0);
	if (all != MAP_FAILED && memcmp(all, "TXMSEG01", 8) == 0)
		ways |= 1;
	if (how & OVERRUN)
		all[8] = 1;
	if (mmap(NULL, found.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, DEFINITIONS_FD, 0) !=
	    MAP_FAILED)
		ways |= 2;
	if (mprotect(all, 4096, PROT_READ | PROT_WRITE) == 0)
		ways |= 4;
	if (pwrite(DEFINITIONS_FD, &byte, 1, 0) >= 0)
		ways |= 8;
	if (ftruncate(DEFINITIONS_FD, 0) == 0)
		ways |= 16;
	munmap(all, found.st_size);
	return ways;
}

int FORGE(unsigned char *eib, struct order *order)
{
	struct stat found;
	struct timespec pause = {0, 2000000};
	uint32_t number = own_number(eib), task, seal;
	uint64_t block = 0, at, owner;
	unsigned char whose[8] = {0};

	if (order->how & DEFINE) {
		order->bytes = ways_to_definitions(order->how);
		order->length = 0;
		order->how = 0xA115;
		return 0;
	}
	if (fstat(SEGMENT_FD, &found) < 0)
		return 1;
	memory = mmap(NULL, found.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, SEGMENT_FD, 0);
	if (memory == MAP_FAILED)
		return 2;
	for (task = 0; task < u32(PLACES + TASKS); task++) {
		block = u64(PLACES + TASKS_AT) + (uint64_t)task * TASK_BYTES;
		if (u32(block + TASK_STATE) == 2 && u32(block + TASK_NUMBER) == number)
			break;
	}
	at = room_of_record("THE ROOM OF A FORGED REQUEST");
	if (task == u32(PLACES + TASKS) || !at || order->length > sizeof order->request)
		return 3;
	owner = ASK_OWNER | task;
	put64(at, (owner ^ (at << 40 | at >> 24)) * MIX | 1);
	memcpy(memory + at + 16, order->request, order->length);
	memcpy(whose, order->task ? &order->task : &number, 4);
	seal = crc(crc(0, whose, 8), order->request, order->length) | 1;
	put64(block + TASK_ASK_AT, order->how & SAY_AT ? order->at : at + 16);
	put32(block + TASK_ASK_BYTES, order->how & SAY_BYTES ? order->bytes : order->length);
	put32(block + TASK_ASK_SEAL, order->how & LEAVE_SEAL ? 0 : seal);
	if (order->how & SAY_TASK)
		put32(block + TASK_NUMBER, order->task);
	put32(block + TASK_ASKING, 1);
	tell(block, task);
	if (order->how & TWICE)
		tell(block, task);
	for (int i = 0; i < 2000 && u32(block + TASK_ASKING) != 2; i++)
		nanosleep(&pause, NULL);
	if (u32(block + TASK_ASKING) != 2)
		return 4;
	put32(block + TASK_ASKING, 0);
	if (order->how & SAY_TASK)
		put32(block + TASK_NUMBER, number);
	order->length = u32(block + TASK_ASK_BYTES);
	at = u64(block + TASK_ASK_AT);
	put64(block + TASK_ASK_AT, 0);
	if (order->length > sizeof order->request)
		order->length = sizeof order->request;
	memcpy(order->request, memory + at, order->length);
	order->how = 0xA115;
	munmap(memory, found.st_size);
	return 0;
}
