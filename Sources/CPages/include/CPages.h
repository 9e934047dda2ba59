#pragma once

// A layer between SQLite and the system's files. It leaves nothing of what was deleted in the main file, and it notices
// when a page of the main file is not what was written.
//
// Gaps.
//
// `secure_delete` zeroes what is freed. But when SQLite rebuilds a page (btree.c, rebuildPage) it moves the
// cells that stay to the page's end and leaves their old bytes where they were, in the unallocated gap
// between the cell pointers and the cells (sqlite.org/fileformat2.html §1.6): about one row of seventy
// with rows that change their size. Nobody reads the gap; this layer zeroes it when a page is written to the
// main file. Other files pass through, the write-ahead log too: it is cut after an erasing.
//
// Held back: pages of another size than 4 096, and files from 64 GiB on, where the number with which an
// overflow page begins could be taken for the mark of a page with a gap.

// Sums.
//
// The last 8 bytes of a page hold a sum over the rest of the page and its number. Byte 20 of the header keeps them free
// (sqlite.org/fileformat2.html §1.3.4). The layer puts the sum in when SQLite writes the page to the main file, and
// compares it when SQLite reads the page from there. A bit that turned over is an error of whoever reads the page
// (SQLITE_IOERR_DATA), in a table or in an index, and never other data. The mixing is that of Store/Checksum.swift; it
// is no signature.
//
// A crash while the log is moved may leave half a page in the main file. It stops nobody: the log still has the page,
// and SQLite reads it there until it has moved the log once more, which writes pages without reading them. A reader
// sees no page that is being written: SQLite moves only what the log has for every reader, and until all of it is
// synced each of them finds it in the log (wal.c: walCheckpoint, nBackfill after the sync; sqlite3WalFindFrame).
//
// Not compared:
//   - the log itself, whose own sums SQLite looks at when it opens a log that a crash left;
//   - what other programs may set in the first page: user_version, application_id, the change counters;
//   - a file that another program copied: it keeps the room free and has no sum in its first page.
// A page that another program writes into a file with sums is damaged. Memory-mapped reads would pass by, so the layer
// has none (CVFSLayer.h).

// The name of the layer above another one (NULL: the system's), for sqlite3_open_v2; made when first
// asked for and kept. NULL without memory or without such a layer. Any thread.
const char *whattodo_pages_layer(const char *below);

// The page that the last SQLITE_IOERR_DATA of this thread was about, from 1.
unsigned whattodo_damaged_page(void);

// sqlite3_file_control with this looks at every page of the main file, free ones too, and fills in a `damaged_pages`.
// It reads the whole file. It passes over pages that wait in the log to be moved. A file without sums has no damage.
enum { whattodo_find_damage = 0x57544450, damaged_pages_listed = 64 };

// Another one: puts 1 into an int when the main file has sums, or is empty and gets them; otherwise 0.
enum { whattodo_has_sums = 0x57544451 };

typedef struct {
  long count;
  unsigned pages[damaged_pages_listed];
} damaged_pages;
