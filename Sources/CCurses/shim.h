#pragma once
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
// Signals as a descriptor: Glibc's module does not show them.
#include <sys/signalfd.h>

/// tparm is variadic in C, which Swift cannot call: this is the form with one number.
static inline char *whattodo_tparm(char *text, int number) {
  return tparm(text, (long)number, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
}
