// Makes every flush to the disk take longer by SLOW_FLUSH_US microseconds, as though the disk were a slower one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_longer(void) {
  const char *microseconds = getenv("SLOW_FLUSH_US");
  if (microseconds != NULL) usleep((useconds_t)atoi(microseconds));
}

int fsync(int file) {
  wait_longer();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
  wait_longer();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
