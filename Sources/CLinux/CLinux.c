#define _GNU_SOURCE
#include "CLinux.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { listen_backlog = 4096 };

// Addresses

static const uint64_t ipv4_prefix = 0x0000ffff00000000;

static int is_ipv4(const struct whattodo_address *address) {
  return address->high == 0 && (address->low & 0xffffffff00000000) == ipv4_prefix;
}

static uint64_t load_big_endian(const uint8_t *bytes) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value = value << 8 | bytes[i];
  return value;
}

static void store_big_endian(uint64_t value, uint8_t *bytes) {
  for (int i = 7; i >= 0; i--, value >>= 8) bytes[i] = (uint8_t)value;
}

static void from_ipv4(const struct in_addr *from, struct whattodo_address *address) {
  address->high = 0;
  address->low = ipv4_prefix | ntohl(from->s_addr);
}

static void from_ipv6(const struct in6_addr *from, struct whattodo_address *address) {
  address->high = load_big_endian(from->s6_addr);
  address->low = load_big_endian(from->s6_addr + 8);
}

static int from_socket_address(const struct sockaddr_storage *from, struct whattodo_address *address) {
  if (from->ss_family == AF_INET) {
    const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)from;
    from_ipv4(&ipv4->sin_addr, address);
    address->port = ntohs(ipv4->sin_port);
    return 0;
  }
  if (from->ss_family == AF_INET6) {
    const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)from;
    from_ipv6(&ipv6->sin6_addr, address);
    address->port = ntohs(ipv6->sin6_port);
    return 0;
  }
  if (from->ss_family == AF_UNIX) {
    memset(address, 0, sizeof *address);
    return 0;
  }
  return -EAFNOSUPPORT;
}

static socklen_t to_socket_address(const struct whattodo_address *from, struct sockaddr_storage *to) {
  memset(to, 0, sizeof *to);
  if (is_ipv4(from)) {
    struct sockaddr_in *ipv4 = (struct sockaddr_in *)to;
    ipv4->sin_family = AF_INET;
    ipv4->sin_port = htons(from->port);
    ipv4->sin_addr.s_addr = htonl((uint32_t)from->low);
    return sizeof *ipv4;
  }
  struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)to;
  ipv6->sin6_family = AF_INET6;
  ipv6->sin6_port = htons(from->port);
  store_big_endian(from->high, ipv6->sin6_addr.s6_addr);
  store_big_endian(from->low, ipv6->sin6_addr.s6_addr + 8);
  return sizeof *ipv6;
}

int whattodo_address_parse(const char *host, struct whattodo_address *address) {
  struct in_addr ipv4;
  struct in6_addr ipv6;
  address->port = 0;
  if (inet_pton(AF_INET, host, &ipv4) == 1) {
    from_ipv4(&ipv4, address);
    return 0;
  }
  if (inet_pton(AF_INET6, host, &ipv6) == 1) {
    from_ipv6(&ipv6, address);
    return 0;
  }
  return -EINVAL;
}

int whattodo_address_print(const struct whattodo_address *address, char *text, size_t size) {
  struct sockaddr_storage storage;
  to_socket_address(address, &storage);
  const void *bytes = is_ipv4(address) ? (const void *)&((struct sockaddr_in *)&storage)->sin_addr
                                       : (const void *)&((struct sockaddr_in6 *)&storage)->sin6_addr;
  return inet_ntop(storage.ss_family, bytes, text, (socklen_t)size) ? 0 : -errno;
}

int whattodo_resolve(const char *host, struct whattodo_address *addresses, int max) {
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  struct addrinfo *found = NULL;
  if (getaddrinfo(host, NULL, &hints, &found) != 0) return -ENOENT;
  int count = 0;
  for (struct addrinfo *entry = found; entry && count < max; entry = entry->ai_next) {
    const struct sockaddr_storage *address = (const struct sockaddr_storage *)entry->ai_addr;
    if (from_socket_address(address, &addresses[count]) == 0) count++;
  }
  freeaddrinfo(found);
  return count > 0 ? count : -ENOENT;
}

// Sockets

static int new_socket(const struct whattodo_address *address) {
  int family = is_ipv4(address) ? AF_INET : AF_INET6;
  int descriptor = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  return descriptor >= 0 ? descriptor : -errno;
}

static int set(int descriptor, int level, int option, int value) {
  return setsockopt(descriptor, level, option, &value, sizeof value) == 0 ? 0 : -errno;
}

static int close_after(int descriptor, int result) {
  close(descriptor);
  return result;
}

int whattodo_listen(const struct whattodo_address *address, int *step) {
  struct sockaddr_storage storage;
  socklen_t length = to_socket_address(address, &storage);
  *step = 0;
  int descriptor = new_socket(address);
  if (descriptor < 0) return descriptor;
  *step = 1;
  int result = set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1);
  if (result == 0 && !is_ipv4(address)) result = set(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 1);
  // Accepted sockets inherit it, which saves a call for each.
  if (result == 0) result = set(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
  if (result < 0) return close_after(descriptor, result);
  *step = 2;
  if (bind(descriptor, (struct sockaddr *)&storage, length) != 0) return close_after(descriptor, -errno);
  *step = 3;
  if (listen(descriptor, listen_backlog) != 0) return close_after(descriptor, -errno);
  return descriptor;
}

static int to_unix_address(const char *path, struct sockaddr_un *to) {
  memset(to, 0, sizeof *to);
  to->sun_family = AF_UNIX;
  size_t length = strlen(path);
  if (length == 0 || length >= sizeof to->sun_path) return -ENAMETOOLONG;
  memcpy(to->sun_path, path, length);
  return 0;
}

// Removes a socket file that nobody listens on any more. -EADDRINUSE: somebody does.
// -EEXIST: it is something else than a socket, and not ours to remove.
static int remove_stale(const struct sockaddr_un *address) {
  struct stat found;
  if (lstat(address->sun_path, &found) != 0) return errno == ENOENT ? 0 : -errno;
  if (!S_ISSOCK(found.st_mode)) return -EEXIST;
  int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (probe < 0) return -errno;
  int result = connect(probe, (const struct sockaddr *)address, sizeof *address) == 0 ? 0 : -errno;
  close(probe);
  // EAGAIN: its queue is full, so it is alive. EACCES: not ours to judge.
  if (result == 0 || result == -EAGAIN) return -EADDRINUSE;
  if (result != -ECONNREFUSED) return result == -ENOENT ? 0 : result;
  return unlink(address->sun_path) == 0 || errno == ENOENT ? 0 : -errno;
}

static int bind_unix(int descriptor, const struct sockaddr_un *address, mode_t mode) {
  int result = remove_stale(address);
  if (result < 0) return result;
  // bind(2) makes the file with this mode less the umask: it is never open to more people.
  if (fchmod(descriptor, mode) != 0) return -errno;
  if (bind(descriptor, (const struct sockaddr *)address, sizeof *address) != 0) return -errno;
  return chmod(address->sun_path, mode) == 0 ? 0 : -errno;
}

// Two servers that start at once would remove each other's new file; the folder's lock keeps the
// second one waiting for the moment that it takes, and leaves no file behind.
static int lock_folder_of(const char *path) {
  char folder[sizeof((struct sockaddr_un *)0)->sun_path + 2];
  const char *slash = strrchr(path, '/');
  if (slash) snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
  else snprintf(folder, sizeof folder, ".");
  int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock < 0) return -errno;
  int result;
  do result = flock(lock, LOCK_EX);
  while (result != 0 && errno == EINTR);
  return result == 0 ? lock : close_after(lock, -errno);
}

int whattodo_listen_unix(const char *path, struct whattodo_file *file, int *step) {
  struct sockaddr_un address;
  struct stat made;
  *step = 2;
  int result = to_unix_address(path, &address);
  if (result < 0) return result;
  int lock = lock_folder_of(path);
  if (lock < 0) return lock;
  *step = 0;
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return close_after(lock, -errno);
  *step = 2;
  result = bind_unix(descriptor, &address, 0660);
  if (result == 0 && lstat(path, &made) != 0) result = -errno;
  if (result < 0) return close_after(lock, close_after(descriptor, result));
  *step = 3;
  if (listen(descriptor, listen_backlog) != 0) result = -errno;
  close(lock);
  if (result < 0) return close_after(descriptor, result);
  file->device = made.st_dev;
  file->inode = made.st_ino;
  return descriptor;
}

void whattodo_remove_unix(const char *path, const struct whattodo_file *file) {
  struct stat found;
  if (lstat(path, &found) != 0) return;
  if (found.st_dev == file->device && found.st_ino == file->inode) unlink(path);
}

int whattodo_unix_path_max(void) { return (int)sizeof((struct sockaddr_un *)0)->sun_path - 1; }

int whattodo_accept(int listener, struct whattodo_address *peer) {
  struct sockaddr_storage storage;
  socklen_t length = sizeof storage;
  int descriptor;
  do {
    descriptor = accept4(listener, (struct sockaddr *)&storage, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
  } while (descriptor < 0 && (errno == EINTR || errno == ECONNABORTED));
  if (descriptor < 0) return -errno;
  int result = from_socket_address(&storage, peer);
  return result == 0 ? descriptor : close_after(descriptor, result);
}

int whattodo_connect(const struct whattodo_address *address) {
  struct sockaddr_storage storage;
  socklen_t length = to_socket_address(address, &storage);
  int descriptor = new_socket(address);
  if (descriptor < 0) return descriptor;
  int result = set(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
  if (result < 0) return close_after(descriptor, result);
  if (connect(descriptor, (struct sockaddr *)&storage, length) == 0) return descriptor;
  // An interrupted connect goes on in the background, like one in progress (connect(2)).
  if (errno == EINPROGRESS || errno == EINTR) return descriptor;
  return close_after(descriptor, -errno);
}

int whattodo_socket_error(int socket) {
  int error = 0;
  socklen_t length = sizeof error;
  return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? -error : -errno;
}

int whattodo_local_address(int socket, struct whattodo_address *address) {
  struct sockaddr_storage storage;
  socklen_t length = sizeof storage;
  if (getsockname(socket, (struct sockaddr *)&storage, &length) != 0) return -errno;
  return from_socket_address(&storage, address);
}

int whattodo_set_send_buffer(int socket, int bytes) {
  return set(socket, SOL_SOCKET, SO_SNDBUF, bytes);
}

ptrdiff_t whattodo_receive(int socket, void *bytes, size_t count) {
  ssize_t result;
  do result = recv(socket, bytes, count, 0);
  while (result < 0 && errno == EINTR);
  return result >= 0 ? result : -errno;
}

ptrdiff_t whattodo_send(int socket, const void *bytes, size_t count) {
  ssize_t result;
  do result = send(socket, bytes, count, MSG_NOSIGNAL);
  while (result < 0 && errno == EINTR);
  return result >= 0 ? result : -errno;
}

int whattodo_finish_sending(int socket) {
  return shutdown(socket, SHUT_WR) == 0 ? 0 : -errno;
}

void whattodo_close(int descriptor) { close(descriptor); }

int64_t whattodo_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -errno;
  rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  // Refused only above the kernel's fs.nr_open, where what we have has to do.
  rlim_t now = setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : before;
  return now > INT32_MAX ? INT32_MAX : (int64_t)now;
}

// Polling

int whattodo_epoll_create(void) {
  int descriptor = epoll_create1(EPOLL_CLOEXEC);
  return descriptor >= 0 ? descriptor : -errno;
}

int whattodo_epoll_set(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return epoll_ctl(epoll, operation, descriptor, &event) == 0 ? 0 : -errno;
}

int whattodo_epoll_wait(int epoll, struct epoll_event *events, int max, int timeout_milliseconds) {
  int count = epoll_wait(epoll, events, max, timeout_milliseconds);
  if (count >= 0) return count;
  return errno == EINTR ? 0 : -errno;
}

// Wake-ups

int whattodo_eventfd(void) {
  int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return descriptor >= 0 ? descriptor : -errno;
}

void whattodo_wake(int eventfd) {
  uint64_t one = 1;
  // EAGAIN means that the counter is full: the taker is awake anyway.
  while (write(eventfd, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void whattodo_clear(int eventfd) {
  uint64_t count;
  while (read(eventfd, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

int whattodo_wait_readable(int descriptor, int timeout_milliseconds) {
  struct pollfd entry = {.fd = descriptor, .events = POLLIN};
  return poll(&entry, 1, timeout_milliseconds) > 0;
}

// Signals

static int hang_ups_are_ignored(void) {
  struct sigaction now;
  return sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void stop_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGINT);
  // Blocked, it would come even to whoever was started with nohup.
  if (!hang_ups_are_ignored()) sigaddset(set, SIGHUP);
}

void whattodo_heed_hang_ups(void) { signal(SIGHUP, SIG_DFL); }

int whattodo_block_stop_signals(void) {
  sigset_t set;
  stop_signals(&set);
  return -pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int whattodo_stop_signals(void) {
  sigset_t set;
  stop_signals(&set);
  int descriptor = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  return descriptor >= 0 ? descriptor : -errno;
}

int whattodo_take_signal(int signalfd) {
  struct signalfd_siginfo info;
  ssize_t count;
  do count = read(signalfd, &info, sizeof info);
  while (count < 0 && errno == EINTR);
  if (count < 0) return -errno;
  return count == sizeof info ? (int)info.ssi_signo : -EAGAIN;
}

void whattodo_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

// Clocks and threads

static int64_t milliseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int64_t whattodo_monotonic_milliseconds(void) { return milliseconds(CLOCK_MONOTONIC); }

int64_t whattodo_boot_milliseconds(void) { return milliseconds(CLOCK_BOOTTIME); }

int64_t whattodo_monotonic_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t whattodo_thread_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t whattodo_wall_milliseconds(void) { return milliseconds(CLOCK_REALTIME); }

int whattodo_clock_is_synchronized(void) {
  struct timex kernel = {.modes = 0};
  int state = adjtimex(&kernel);
  if (state < 0 || state == TIME_ERROR || (kernel.status & STA_UNSYNC)) return 0;
  // Somebody may have put another clock between the kernel and this process.
  int64_t seconds = milliseconds(CLOCK_REALTIME) / 1000 - (int64_t)kernel.time.tv_sec;
  return seconds > -60 && seconds < 60;
}

int whattodo_processors(void) {
  // The kernel wants room for all that it could have, and says so with EINVAL.
  for (int max = 1024; max <= 1 << 16; max *= 2) {
    cpu_set_t *set = CPU_ALLOC(max);
    if (set == NULL) return 1;
    size_t size = CPU_ALLOC_SIZE(max);
    int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : -errno;
    CPU_FREE(set);
    if (count != -EINVAL) return count > 0 ? count : 1;
  }
  return 1;
}

int whattodo_start_thread(pthread_t *thread, void *(*body)(void *), void *argument) {
  sigset_t set;
  sigset_t before;
  stop_signals(&set);
  // A new thread inherits the mask.
  int result = pthread_sigmask(SIG_BLOCK, &set, &before);
  if (result != 0) return -result;
  result = pthread_create(thread, NULL, body, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return -result;
}

void whattodo_name_thread(const char *name) {
  char shown[16];
  snprintf(shown, sizeof shown, "%s", name);
  pthread_setname_np(pthread_self(), shown);
}

int whattodo_yield_to_others(int by) {
  // Linux keeps it for each thread; 0 is the calling one (setpriority(2), notes).
  errno = 0;
  int now = getpriority(PRIO_PROCESS, 0);
  if (now == -1 && errno) return -errno;
  return setpriority(PRIO_PROCESS, 0, now + by) ? -errno : 0;
}
