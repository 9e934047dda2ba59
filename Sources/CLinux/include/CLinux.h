#pragma once
// System calls for the Net module. Each function takes errno where the call is made: it returns a
// negative errno on failure, and repeats a call that a signal interrupted. _GNU_SOURCE is defined in
// CLinux.c only (in a public header it changes other modules' structs).
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

/// An IPv6 address in host byte order (IPv4 as ::ffff:a.b.c.d) and a port.
struct whattodo_address {
  uint64_t high;
  uint64_t low;
  uint16_t port;
};

/// Which file a name stood for.
struct whattodo_file {
  uint64_t device;
  uint64_t inode;
};

// Addresses

/// Reads a numeric IPv4 or IPv6 address; 0, or -EINVAL.
int whattodo_address_parse(const char *host, struct whattodo_address *address);
/// Writes the address without port; the text needs 46 bytes. 0 or -errno.
int whattodo_address_print(const struct whattodo_address *address, char *text, size_t size);
/// Looks a name up (blocks). The number of addresses written, or -ENOENT.
int whattodo_resolve(const char *host, struct whattodo_address *addresses, int max);

// Sockets: non-blocking, close-on-exec, TCP_NODELAY

/// A listening socket. `*step` says which call failed: 0 socket, 1 setsockopt, 2 bind, 3 listen.
int whattodo_listen(const struct whattodo_address *address, int *step);
/// The same for a socket file, mode 0660. A file that no process listens on any more is replaced;
/// -EADDRINUSE when one does, -EEXIST when it is no socket, -ENAMETOOLONG. `*file` is what was made.
int whattodo_listen_unix(const char *path, struct whattodo_file *file, int *step);
/// Removes the socket file, if it is still that one.
void whattodo_remove_unix(const char *path, const struct whattodo_file *file);
/// The longest path of a socket file, in bytes.
int whattodo_unix_path_max(void);
/// The accepted socket, and who is there; all zero for a socket file, whose peers have no address.
int whattodo_accept(int listener, struct whattodo_address *peer);
/// Starts to connect; the socket. Writability, then `whattodo_socket_error`, tell the outcome.
int whattodo_connect(const struct whattodo_address *address);
/// 0, or the negative errno that the socket has pending.
int whattodo_socket_error(int socket);
/// Our end of the socket.
int whattodo_local_address(int socket, struct whattodo_address *address);
/// Sets SO_SNDBUF.
int whattodo_set_send_buffer(int socket, int bytes);
/// Bytes read; 0 at the end of the stream.
ptrdiff_t whattodo_receive(int socket, void *bytes, size_t count);
/// Bytes taken by the kernel; raises no SIGPIPE.
ptrdiff_t whattodo_send(int socket, const void *bytes, size_t count);
/// Tells the peer that nothing more follows.
int whattodo_finish_sending(int socket);
/// Linux closes the descriptor also when close(2) fails: nothing can be done about its result.
void whattodo_close(int descriptor);
/// Raises the number of descriptors that this process may have to the highest allowed; that number.
int64_t whattodo_raise_descriptor_limit(void);

// Polling

int whattodo_epoll_create(void);
/// `operation` is EPOLL_CTL_ADD, MOD or DEL.
int whattodo_epoll_set(int epoll, int operation, int descriptor, uint32_t events, uint64_t token);
/// Number of events; 0 also when a signal interrupted. A timeout of -1 has no end.
int whattodo_epoll_wait(int epoll, struct epoll_event *events, int max, int timeout_milliseconds);

// Wake-ups

int whattodo_eventfd(void);
/// Makes the eventfd readable.
void whattodo_wake(int eventfd);
/// Makes the eventfd unreadable again.
void whattodo_clear(int eventfd);
/// 1 when readable within the time (-1: no end), 0 otherwise.
int whattodo_wait_readable(int descriptor, int timeout_milliseconds);

// Signals

/// SIGHUP counts also when the program was started to ignore it.
void whattodo_heed_hang_ups(void);
/// Blocks SIGTERM, SIGINT and, unless it is ignored, SIGHUP in this thread and in those it starts; 0
/// or -errno.
int whattodo_block_stop_signals(void);
/// A signalfd for them.
int whattodo_stop_signals(void);
/// Takes one signal; its number, or -EAGAIN.
int whattodo_take_signal(int signalfd);
/// Writing to a closed pipe or socket is an error, not the end of the process.
void whattodo_ignore_sigpipe(void);

// Clocks and threads

int64_t whattodo_monotonic_milliseconds(void);
/// As the monotonic clock, and goes on while the machine sleeps.
int64_t whattodo_boot_milliseconds(void);
int64_t whattodo_monotonic_nanoseconds(void);
/// How long this thread was on a processor.
int64_t whattodo_thread_nanoseconds(void);
int64_t whattodo_wall_milliseconds(void);
/// Whether the kernel says that its wall clock is kept right from outside (adjtimex(2)), and shows us that clock.
int whattodo_clock_is_synchronized(void);
/// Processors that the calling thread may run on, at least 1.
int whattodo_processors(void);
/// Starts a thread that SIGTERM and SIGINT never choose; 0 or -errno.
int whattodo_start_thread(pthread_t *thread, void *(*body)(void *), void *argument);
/// Names the calling thread; at most 15 bytes are shown.
void whattodo_name_thread(const char *name);
/// Gives the calling thread so much less of a busy processor (nice(1)): 0 or -errno.
int whattodo_yield_to_others(int by);
