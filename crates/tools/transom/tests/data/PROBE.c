/* A program that tries what no program of a region may: each step answers 0 for done, else the
 * error. Linked as cobc links modules. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int outcome(long result)
{
	return result < 0 ? errno : 0;
}

static int opens(const char *path, int flags)
{
	int fd = open(path, flags, 0600);
	int why = outcome(fd);

	if (fd >= 0)
		close(fd);
	return why;
}

/* The COMMAREA begins with the path of the system directory, ended by a zero. */
int PROBE(void *eib, char *area)
{
	char dir[512], path[700], out[900] = "";
	char *const none[] = {NULL};
	struct rlimit core;
	size_t length = strlen(area);
	int step = 0;

	(void)eib;
	if (length >= sizeof dir)
		return 0;
	memcpy(dir, area, length + 1);
#define SAY(name, why) \
	snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s=%d", step++ ? " " : "", name, why)
	snprintf(path, sizeof path, "%s/users.toml", dir);
	SAY("users", opens(path, O_RDONLY));
	snprintf(path, sizeof path, "%s/server.xml", dir);
	SAY("server", opens(path, O_RDWR));
	snprintf(path, sizeof path, "%s/made", dir);
	SAY("made", opens(path, O_WRONLY | O_CREAT));
	SAY("passwords", opens("/etc/shadow", O_RDONLY));
	snprintf(path, sizeof path, "/proc/%d/environ", getppid());
	SAY("environ", opens(path, O_RDONLY));
	snprintf(path, sizeof path, "%s/.transom/dumps/own", dir);
	SAY("dump", opens(path, O_WRONLY | O_CREAT));
	SAY("execve", outcome(execve("/bin/true", none, none)));
	SAY("fork", outcome(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)));
	SAY("socket", outcome(socket(AF_INET, SOCK_STREAM, 0)));
	SAY("ptrace", outcome(ptrace(PTRACE_ATTACH, getppid(), 0, 0)));
	SAY("kill", outcome(kill(getppid(), SIGTERM)));
	SAY("uring", outcome(syscall(SYS_io_uring_setup, 4, 0)));
	SAY("shrink", outcome(ftruncate(4, 0)));
	/* What is shared with the region and with other workers: flags of the events that wake the
	 * region, the socket of all lines of the log, where readers are, limits of who has the same
	 * user. */
	SAY("waits", outcome(fcntl(7, F_SETFL, 0)));
	SAY("owner", outcome(fcntl(5, F_SETOWN, getppid())));
	SAY("hangup", outcome(shutdown(5, SHUT_RDWR)));
	SAY("option", outcome(setsockopt(5, SOL_SOCKET, SO_SNDBUF, &step, sizeof step)));
	SAY("places", opens("/proc/self/fd/9", O_WRONLY | O_TRUNC));
	getrlimit(RLIMIT_CPU, &core);
	SAY("limits", outcome(prlimit(getppid(), RLIMIT_CPU, &core, NULL)));
	SAY("own", outcome(prlimit(0, RLIMIT_CPU, NULL, &core)));
	getrlimit(RLIMIT_CORE, &core);
	SAY("core", (int)core.rlim_cur);
	SAY("root", geteuid() == 0);
	SAY("home", getenv("HOME") != NULL || getenv("PATH") != NULL);
	memcpy(area, out, strlen(out) + 1);
	return 0;
}
