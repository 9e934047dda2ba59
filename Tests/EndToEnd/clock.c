// A clock that a test moves: the file that TEST_CLOCK names is as many bytes long as the wall clock is hours ahead.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  struct stat file;
  const char *path = getenv("TEST_CLOCK");
  if (result == 0 && clock == CLOCK_REALTIME && path && stat(path, &file) == 0) time->tv_sec += file.st_size * 3600;
  return result;
}
