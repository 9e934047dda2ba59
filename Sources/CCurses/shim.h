#pragma once
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
// Signals as a descriptor: Glibc's module does not show them.
#include <sys/signalfd.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

/// tparm is variadic in C, which Swift cannot call: this is the form with one number.
static inline char *whattodo_tparm(char *text, int number) {
  return tparm(text, (long)number, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
}

// A program that crashes in raw mode leaves a terminal in which nobody sees what they type, and which marks pastes for nobody.
// The handler does nothing but what signal-safety(7) allows: write, tcsetattr, sigaction, raise.

/// As it was before raw mode. Inside of a function, because Swift makes no variables of a header.
static inline struct termios *whattodo_found(void) {
  static struct termios found;
  return &found;
}

static inline void whattodo_crashed(int number) {
  static const char marks_off[] = "\033[?2004l\r\n";
  ssize_t written = write(1, marks_off, sizeof marks_off - 1);
  (void)written;
  tcsetattr(0, TCSANOW, whattodo_found());
  // SA_RESETHAND: this one ends the program.
  raise(number);
}

/// The terminal as it is now is put back when the program crashes; false: never mind, it is not.
static inline int whattodo_give_back_on_crash(void) {
  static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  if (tcgetattr(0, whattodo_found()) != 0) return 0;
  struct sigaction action = {.sa_handler = whattodo_crashed, .sa_flags = SA_RESETHAND | SA_NODEFER};
  for (unsigned i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
    if (sigaction(crashes[i], &action, 0) != 0) return 0;
  return 1;
}
