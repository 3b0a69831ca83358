/*
 * Plain memory in place of the kernel's dma-buf devices, for a kernel or a container that lacks
 * them. libcamera's virtual camera and picamera2 ask /dev/udmabuf or /dev/dma_heap for memory that
 * hardware could share; here no hardware shares it, so an anonymous file will do.
 *
 *     cc -shared -fPIC -o fakedmabuf.so fakedmabuf.c      LD_PRELOAD=./fakedmabuf.so ...
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* The devices stand open as /dev/null: what is asked of them is known by the request alone. */
static int is_device(const char *path)
{
	return path && (!strcmp(path, "/dev/udmabuf") || !strncmp(path, "/dev/dma_heap/", 14));
}

static int really_open(const char *name, int at, const char *path, int flags, mode_t mode)
{
	int (*next)(int, const char *, int, ...) = dlsym(RTLD_NEXT, name);

	return next(at, is_device(path) ? "/dev/null" : path, flags, mode);
}

#define OPENAT(name)                                                                   \
	int name(int at, const char *path, int flags, ...)                             \
	{                                                                              \
		va_list more;                                                          \
		va_start(more, flags);                                                 \
		mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
		va_end(more);                                                          \
		return really_open(#name, at, path, flags, mode);                      \
	}
#define OPEN(name, at_name)                                                            \
	int name(const char *path, int flags, ...)                                     \
	{                                                                              \
		va_list more;                                                          \
		va_start(more, flags);                                                 \
		mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
		va_end(more);                                                          \
		return really_open(at_name, AT_FDCWD, path, flags, mode);              \
	}

OPENAT(openat)
OPENAT(openat64)
OPEN(open, "openat")
OPEN(open64, "openat64")

static int memory(struct dma_heap_allocation_data *wanted)
{
	int fd = memfd_create("dma-heap", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, wanted->len))
		return -1;
	wanted->fd = fd;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*next)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
	va_list more;

	va_start(more, request);
	void *given = va_arg(more, void *);
	va_end(more);
	switch ((unsigned int)request) { /* some callers extend its sign */
	case UDMABUF_CREATE: /* the memory is a memfd already */
		return fcntl(((struct udmabuf_create *)given)->memfd, F_DUPFD_CLOEXEC, 0);
	case DMA_HEAP_IOCTL_ALLOC:
		return memory(given);
	case DMA_BUF_IOCTL_SYNC: /* nothing is cached anywhere else */
	case DMA_BUF_SET_NAME_A:
	case DMA_BUF_SET_NAME_B:
		return 0;
	default:
		return next(fd, request, given);
	}
}
