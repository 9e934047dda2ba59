// What a layer between SQLite and the files below it is made of (sqlite.org/vfs.html): every method passes
// through. A layer has `vfs_layer` as its first member, its files have `layered_file` as theirs, and it puts
// its own methods in the place of those that it is there for, before it is registered.
//
// A call costs what it would without this: SQLite finds the layer's own method in the file's table, and that
// one calls the method below.
#pragma once
#include <sqlite3.h>
#include <stddef.h>

typedef struct {
  sqlite3_vfs vfs;  // first: SQLite hands it back to us
  sqlite3_vfs *below;
  // Of its files. Version 2: without memory-mapped reads and writes, which would pass by.
  sqlite3_io_methods methods;
  char name[96];
} vfs_layer;

typedef struct {
  sqlite3_file base;  // first: SQLite hands it back to us
  sqlite3_file *below;  // behind the layer's own struct, in the same block
} layered_file;

static inline sqlite3_file *file_below(sqlite3_file *file) { return ((layered_file *)file)->below; }

// Prepares a layer of this name over the one called `below` (NULL: the usual one), whose files take
// `file_bytes` themselves. Then it is registered with sqlite3_vfs_register. 0, and nothing is prepared, when
// there is no such layer, or the name is too long.
int vfs_layer_prepare(vfs_layer *layer, const char *name, const char *below, size_t file_bytes);

// The passing xOpen: what is the file's own is zero. A file that is not to be seen by the layer is opened with
// the xOpen below instead.
int vfs_layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened);
