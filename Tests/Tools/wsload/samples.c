#include "samples.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "options.h"
#include "wsload.h"

static double ticks_per_second(void) { return (double)sysconf(_SC_CLK_TCK); }

// From the first line that fits; 0 when there is none, or no such file.
static long number_in(const char *path, const char *format) {
  char line[1024];
  long number = 0;
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, format, &number) == 1) break;
  fclose(file);
  return number;
}

// proc(5), /proc/PID/stat: what follows the name, which may hold anything but ends with the last bracket.
static void add_process(struct sample *it, int process) {
  char path[64], line[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "r");
  if (!file) die("server process %d is gone", process);
  const char *rest = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
  fclose(file);
  unsigned long user, system;
  long threads, resident_pages;
  if (!rest || sscanf(rest + 2,
                      "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %ld %*d %*u %*u %ld",
                      &user, &system, &threads, &resident_pages) != 4)
    return;
  it->user += (double)user / ticks_per_second();
  it->system += (double)system / ticks_per_second();
  it->threads += threads;
  it->resident_kb += resident_pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void add_memory(struct sample *it) {
  char path[64];
  for (int i = 0; i < options.process_count; i++) {
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", options.processes[i]);
    it->proportional_kb += number_in(path, "Pss: %ld");
  }
  it->slab_kb = number_in("/proc/meminfo", "Slab: %ld");
}

static void add_machine(struct sample *it) {
  double user, nice, system, idle, waiting, interrupts, soft;
  FILE *file = fopen("/proc/stat", "r");
  if (!file) return;
  if (fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &waiting, &interrupts,
             &soft) == 7) {
    it->machine_busy = (user + nice + system + interrupts + soft) / ticks_per_second();
    it->soft_interrupts = soft / ticks_per_second();
  }
  fclose(file);
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

struct sample sample_now(int with_memory) {
  struct sample it = {.time = (double)now_ns() / 1e9};
  for (int i = 0; i < options.process_count; i++) add_process(&it, options.processes[i]);
  if (with_memory) add_memory(&it);
  add_machine(&it);
  struct rusage own;
  getrusage(RUSAGE_SELF, &own);
  it.own = seconds(own.ru_utime) + seconds(own.ru_stime);
  return it;
}

double server_cpu(const struct sample *from, const struct sample *to) {
  return to->user + to->system - from->user - from->system;
}
