#pragma once

// A layer between SQLite and the system's files that leaves nothing of what was deleted in the main file.
//
// `secure_delete` zeroes what is freed. But when SQLite rebuilds a page (btree.c, rebuildPage) it moves the
// cells that stay to the page's end and leaves their old bytes where they were, in the unallocated gap
// between the cell pointers and the cells (sqlite.org/fileformat2.html §1.6): about one row of seventy
// with rows that change their size. Nobody reads the gap; this layer zeroes it when a page is written to the
// main file. Other files pass through, the write-ahead log too: it is cut after an erasing.
//
// Held back: pages of another size than 4 096, and files from 64 GiB on, where the number with which an
// overflow page begins could be taken for the mark of a page with a gap.

// The name of the layer above another one (NULL: the system's), for sqlite3_open_v2; made when first
// asked for and kept. NULL without memory or without such a layer. Any thread.
const char *whattodo_pages_layer(const char *below);
