#include "CPages.h"

#include <CVFSLayer.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { page_bytes = 4096, sum_bytes = 8, reserved_at = 20, log_format_at = 18 };
static const sqlite3_int64 file_bytes_max = (sqlite3_int64)64 << 30;
// SQLite never writes this page: the bytes that it locks lie there (sqlite.org/fileformat2.html §1.5).
static const sqlite3_int64 lock_page_at = 0x40000000;

typedef struct {
  layered_file file;  // first: the layer expects it there
  int is_main;
  int has_sums;        // of the main file: 1, 0, or -1 when its first page is unknown or damaged
  sqlite3_int64 size;  // of the main file: never less than it is, since nobody else writes
} paged_file;

static _Thread_local unsigned damaged_page;

unsigned whattodo_damaged_page(void) { return damaged_page; }

static int raw_read(paged_file *mine, void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *below = file_below(&mine->file.base);
  return below->pMethods->xRead(below, bytes, count, offset);
}

static int raw_write(paged_file *mine, const void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *below = file_below(&mine->file.base);
  return below->pMethods->xWrite(below, bytes, count, offset);
}

// Sums.

static uint64_t word(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  value = __builtin_bswap64(value);
#endif
  return value;
}

// As in Store/Checksum.swift: another word always makes another sum.
static uint64_t mixed(uint64_t sum, uint64_t value) {
  sum = (sum ^ value) * UINT64_C(0xD6E8FEB86659FD93);
  return sum ^ sum >> 29;
}

// Four lanes side by side, since each step waits for the one before it. Never 0.
static uint64_t sum_of(const uint8_t *page, uint64_t number) {
  uint64_t lane[4] = {number, ~number, number << 32, UINT64_C(0x9E3779B97F4A7C15)};
  const size_t words = (page_bytes - sum_bytes) / 8;
  for (size_t at = 0; at < words; at++) lane[at & 3] = mixed(lane[at & 3], word(page + 8 * at));
  uint64_t sum = mixed(mixed(mixed(lane[0], lane[1]), lane[2]), lane[3]);
  return sum ? sum : 1;
}

// The sum of the first page leaves out what other programs may set: the change counters, user_version, application_id.
static uint64_t first_sum_of(const uint8_t *page) {
  uint8_t copy[page_bytes];
  memcpy(copy, page, page_bytes);
  memset(copy + 24, 0, 4);
  memset(copy + 60, 0, 4);
  memset(copy + 68, 0, 4);
  memset(copy + 92, 0, 8);
  copy[reserved_at] = sum_bytes;
  return sum_of(copy, 1);
}

static uint64_t page_sum(const uint8_t *page, sqlite3_int64 offset) {
  return offset == 0 ? first_sum_of(page) : sum_of(page, (uint64_t)(offset / page_bytes) + 1);
}

static uint64_t kept_sum(const uint8_t *page) { return word(page + page_bytes - sum_bytes); }

static void keep_sum(uint8_t *page, uint64_t sum) {
  for (int at = 0; at < sum_bytes; at++) page[page_bytes - sum_bytes + at] = (uint8_t)(sum >> 8 * at);
}

static void put_sum(uint8_t *page, sqlite3_int64 offset) { keep_sum(page, page_sum(page, offset)); }

static int is_whole(const uint8_t *page, sqlite3_int64 offset) { return kept_sum(page) == page_sum(page, offset); }

static int keeps_room(const uint8_t *first) {
  return memcmp(first, "SQLite format 3", 16) == 0 && first[reserved_at] == sum_bytes;
}

// Whether a file with this first page has sums. -1: it says no, but its own sum says yes, so it is damaged.
static int says_sums(const uint8_t *first) {
  if (memcmp(first, "SQLite format 3", 16) != 0) return 0;
  // Another program keeps the room too when it copies the file, and leaves it empty.
  if (keeps_room(first)) return kept_sum(first) != 0;
  return is_whole(first, 0) ? -1 : 0;
}

static int has_sums(paged_file *mine) {
  uint8_t first[page_bytes];
  if (mine->has_sums < 0 && raw_read(mine, first, page_bytes, 0) == SQLITE_OK) mine->has_sums = says_sums(first);
  return mine->has_sums > 0;
}

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

static int is_page(const paged_file *mine, int count, sqlite3_int64 offset) {
  return mine->is_main && count == page_bytes && offset % page_bytes == 0;
}

// Gives a sum to all pages behind the first, whose content stays as it is.
static int sum_others(paged_file *mine) {
  uint8_t page[page_bytes];
  for (sqlite3_int64 at = page_bytes; at + page_bytes <= mine->size; at += page_bytes) {
    if (at == lock_page_at) continue;
    int code = raw_read(mine, page, page_bytes, at);
    if (code == SQLITE_IOERR_SHORT_READ) return SQLITE_OK;
    if (code == SQLITE_OK) {
      put_sum(page, at);
      code = raw_write(mine, page, page_bytes, at);
    }
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

// The first page decides whether the file has sums. The first time that it says so, other pages may be there without:
// SQLite writes the first page of a copy last when the copy is larger than the cache. They get theirs now. In an older
// file that VACUUM has written anew, nobody reads such a page any more, or it has its new content.
static int settle_first(paged_file *mine, uint8_t *page) {
  uint8_t first[page_bytes];
  mine->has_sums = -1;
  if (!has_sums(mine)) {
    int is_foreign = raw_read(mine, first, page_bytes, 0) == SQLITE_OK && keeps_room(first) && kept_sum(first) == 0;
    if (is_foreign) keep_sum(page, 0);
    mine->has_sums = !is_foreign && keeps_room(page);
    int code = mine->has_sums ? sum_others(mine) : SQLITE_OK;
    if (code != SQLITE_OK) {
      mine->has_sums = -1;
      return code;
    }
  }
  if (mine->has_sums) put_sum(page, 0);
  return SQLITE_OK;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  uint8_t page[page_bytes];
  paged_file *mine = (paged_file *)file;
  if (!is_page(mine, count, offset)) return raw_write(mine, bytes, count, offset);
  if (mine->size < offset + count) mine->size = offset + count;
  memcpy(page, bytes, page_bytes);
  if (mine->size < file_bytes_max) zero_gap(page, offset == 0);
  if (offset == 0) {
    int code = settle_first(mine, page);
    if (code != SQLITE_OK) return code;
  } else {
    // Asked again as long as it says no: another connection may have written the file anew.
    if (mine->has_sums == 0) mine->has_sums = -1;
    if (has_sums(mine)) put_sum(page, offset);
  }
  return raw_write(mine, page, page_bytes, offset);
}

// Reads until the page is whole, some times at most: whoever opens the file reads its first page before the log
// protects it from the one who writes.
static int read_page(paged_file *mine, uint8_t *page, sqlite3_int64 offset) {
  for (int tries = 0; tries < 3; tries++) {
    int code = raw_read(mine, page, page_bytes, offset);
    if (code != SQLITE_OK) return code;
    if (offset == 0) mine->has_sums = says_sums(page);
    int says = offset == 0 ? mine->has_sums : has_sums(mine);
    if (says == 0 || (says > 0 && is_whole(page, offset))) return SQLITE_OK;
  }
  damaged_page = (unsigned)(offset / page_bytes) + 1;
  return SQLITE_IOERR_DATA;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  uint8_t page[page_bytes];
  paged_file *mine = (paged_file *)file;
  if (is_page(mine, count, offset)) return read_page(mine, bytes, offset);
  sqlite3_int64 inside = offset % page_bytes;
  // The head of the first page is looked at by itself, and some versions read overflow pages without the end.
  if (!mine->is_main || offset < page_bytes || inside + count > page_bytes) return raw_read(mine, bytes, count, offset);
  int code = read_page(mine, page, offset - inside);
  if (code == SQLITE_IOERR_SHORT_READ) return raw_read(mine, bytes, count, offset);
  if (code == SQLITE_OK) memcpy(bytes, page + inside, (size_t)count);
  return code;
}

// Damage.

// Whether nobody reads this page from the main file: it lies behind the end of the database, or it waits in the log to
// be moved (sqlite.org/walformat.html §2, the index of the log). A crash may have torn such a page on its way, and a
// live server may be writing it.
static int is_masked(paged_file *mine, uint32_t number) {
  enum { region_bytes = 32768, header_words = 34, pages_first = 4062, pages_each = 4096 };
  enum { is_set_at = 12, last_frame = 4, database_pages = 5, moved_frames = 24 };
  sqlite3_file *below = file_below(&mine->file.base);
  void volatile *map = NULL;
  if (below->pMethods->iVersion < 2 || !below->pMethods->xShmMap) return 0;
  if (below->pMethods->xShmMap(below, 0, region_bytes, 0, &map) != SQLITE_OK || !map) return 0;
  const volatile uint32_t *words = map;
  if (!((const volatile uint8_t *)map)[is_set_at]) return 0;
  uint32_t last = words[last_frame], frame = words[moved_frames] + 1;
  // 0: the log is empty, and the file is as long as the database.
  if (words[database_pages] && number > words[database_pages]) return 1;
  for (int region = -1; frame <= last; frame++) {
    int wanted = frame <= pages_first ? 0 : 1 + (int)((frame - pages_first - 1) / pages_each);
    if (wanted != region) {
      if (below->pMethods->xShmMap(below, wanted, region_bytes, 0, &map) != SQLITE_OK || !map) return 0;
      region = wanted;
      words = map;
    }
    uint32_t place = region == 0 ? header_words + frame - 1 : (frame - pages_first - 1) % pages_each;
    if (words[place] == number) return 1;
  }
  return 0;
}

static int is_damaged(paged_file *mine, uint8_t *page, sqlite3_int64 at, int *code) {
  *code = raw_read(mine, page, page_bytes, at);
  return *code == SQLITE_OK && !(is_whole(page, at) && (at > 0 || keeps_room(page)));
}

static int find_damage(paged_file *mine, damaged_pages *found) {
  uint8_t page[page_bytes];
  sqlite3_int64 size;
  sqlite3_file *below = file_below(&mine->file.base);
  found->count = 0;
  int code = below->pMethods->xFileSize(below, &size);
  if (code != SQLITE_OK || size < page_bytes) return code;
  code = raw_read(mine, page, page_bytes, 0);
  if (code != SQLITE_OK) return code;
  mine->has_sums = says_sums(page);
  if (mine->has_sums == 0) return SQLITE_OK;
  int has_log = page[log_format_at] == 2;
  for (sqlite3_int64 at = 0; code == SQLITE_OK && at + page_bytes <= size; at += page_bytes) {
    unsigned number = (unsigned)(at / page_bytes) + 1;
    if (at == lock_page_at || !is_damaged(mine, page, at, &code)) continue;
    // The second look is after the question: what was moved meanwhile is whole by then.
    if ((has_log && is_masked(mine, number)) || !is_damaged(mine, page, at, &code)) continue;
    if (found->count < damaged_pages_listed) found->pages[found->count] = number;
    found->count++;
  }
  return code;
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  paged_file *mine = (paged_file *)file;
  if (operation == whattodo_has_sums && mine->is_main) {
    has_sums(mine);
    *(int *)argument = mine->has_sums != 0;
    return SQLITE_OK;
  }
  if (operation == whattodo_find_damage && mine->is_main) return find_damage(mine, argument);
  return file_below(file)->pMethods->xFileControl(file_below(file), operation, argument);
}

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  paged_file *mine = (paged_file *)file;
  int code = vfs_layer_open(vfs, path, file, flags, opened);
  if (code != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB)) return code;
  mine->is_main = 1;
  mine->has_sums = -1;
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
    it->methods.xRead = file_read;
    it->methods.xWrite = file_write;
    it->methods.xFileControl = file_control;
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
