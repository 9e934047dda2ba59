#include "CPages.h"

#include <CVFSLayer.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { page_bytes = 4096 };
static const sqlite3_int64 file_bytes_max = (sqlite3_int64)64 << 30;

typedef struct {
  layered_file file;  // first: the layer expects it there
  int is_main;
  sqlite3_int64 size;  // of the main file: never less than it is, since nobody else writes
} paged_file;

// Zeroes the gap of a b-tree page (sqlite.org/fileformat2.html §1.6); other pages stay as they are.
static void zero_gap(uint8_t *page, int is_first) {
  size_t start = is_first ? 100 : 0;
  const uint8_t *head = page + start;
  size_t head_bytes = head[0] == 2 || head[0] == 5 ? 12 : head[0] == 10 || head[0] == 13 ? 8 : 0;
  if (!head_bytes) return;
  size_t cells = (size_t)(head[3] << 8 | head[4]), content = (size_t)(head[5] << 8 | head[6]);
  size_t gap = start + head_bytes + 2 * cells;
  if (gap < content && content <= page_bytes) memset(page + gap, 0, content - gap);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  uint8_t page[page_bytes];
  paged_file *mine = (paged_file *)file;
  if (mine->is_main && count == page_bytes && offset % page_bytes == 0) {
    if (mine->size < offset + count) mine->size = offset + count;
    if (mine->size < file_bytes_max) {
      memcpy(page, bytes, page_bytes);
      zero_gap(page, offset == 0);
      bytes = page;
    }
  }
  return file_below(file)->pMethods->xWrite(file_below(file), bytes, count, offset);
}

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  paged_file *mine = (paged_file *)file;
  int code = vfs_layer_open(vfs, path, file, flags, opened);
  if (code != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB)) return code;
  mine->is_main = 1;
  code = file_below(file)->pMethods->xFileSize(file_below(file), &mine->size);
  if (code != SQLITE_OK) {
    file_below(file)->pMethods->xClose(file_below(file));
    file->pMethods = NULL;
  }
  return code;
}

static const char *made(const char *below, const char *name) {
  vfs_layer *it = calloc(1, sizeof *it);
  if (it && vfs_layer_prepare(it, name, below, sizeof(paged_file))) {
    it->vfs.xOpen = layer_open;
    it->methods.xWrite = file_write;
    if (sqlite3_vfs_register(&it->vfs, 0) == SQLITE_OK) return it->name;
  }
  free(it);
  return NULL;
}

const char *whattodo_pages_layer(const char *below) {
  static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
  char name[sizeof((vfs_layer *)0)->name];
  int length = snprintf(name, sizeof name, "whattodo-%s", below ? below : "");
  if (length < 0 || (size_t)length >= sizeof name) return NULL;
  pthread_mutex_lock(&making);
  sqlite3_vfs *known = sqlite3_vfs_find(name);
  const char *found = known ? known->zName : made(below, name);
  pthread_mutex_unlock(&making);
  return found;
}
