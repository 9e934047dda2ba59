// A layer between SQLite and the system (sqlite.org/vfs.html) that gathers what a commit appends to the
// write-ahead log. SQLite writes each frame in two calls, 24 bytes and a page; behind each other they are
// one piece of file, and half of what a commit costs the kernel is the number of those calls. Here they
// become one write for up to 120 KiB.
//
// Only the -wal file is gathered; every other file is the layer's below, untouched. Nothing is held back
// from a sync, a read, a cut or a question for the size: each writes first what has been gathered, and
// answers its error. So at a COMMIT with synchronous=FULL, whose frames count from its sync on (wal.c,
// walFrames), nothing changes but the number of calls; a connection that does not sync at its commits must
// not use it: others would be told of frames that are not in the file.
//
// A log that is there when it is opened is written once more and synced, because a failed sync may have left parts of it
// in memory alone.
//
// One layer for one connection, used by one thread at a time.
#pragma once

typedef struct gather_layer gather_layer;

// Over the layer of this name; NULL: the usual one. NULL when there is none such, or SQLite refuses.
gather_layer *gather_begin(const char *below);
// The name to open a database with.
const char *gather_name(const gather_layer *it);
// Once the database is open: nobody else finds it by its name.
void gather_hide(gather_layer *it);
// When the connection is closed.
void gather_end(gather_layer *it);
