// What the server, this program and the machine have used so far, from /proc and getrusage.
#pragma once

// Sums over the processes of --pid; CPU in seconds.
struct sample {
  double time, user, system, own, machine_busy, soft_interrupts;
  long resident_kb, proportional_kb, slab_kb, threads;
};

// With memory it costs the kernel a walk through every page of these processes.
struct sample sample_now(int with_memory);

// Seconds of CPU that the server used between the two.
double server_cpu(const struct sample *from, const struct sample *to);
