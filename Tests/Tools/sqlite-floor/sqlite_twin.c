/* Runs what a store ran: the statements of a recording (StoreBenchmark record …, format in
 * Tests/Support/CStatementRecorder/include), prepared once and bound the same, in C and as fast as that goes.
 * What the store costs beyond it is the store's own.
 *
 *   sqlite_twin DATABASE RECORDING COMMANDS
 *
 * DATABASE must be new, or what the recording was begun on. Up to the recording's mark nothing is measured.
 * Besides SQL it does what the store does without: defensive mode, and a passive checkpoint between
 * transactions when the log has 4096 pages, tried again after another quarter. COMMANDS: how many the measured
 * part holds, to divide by. Exit: 0 done, 1 SQLite refused something, 2 usage. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STATEMENTS_MAX = 1024, CHECKPOINT_PAGES = 4096 };

static sqlite3 *db;
static struct { sqlite3_stmt *prepared; const char *sql; int length, is_commit; } statements[STATEMENTS_MAX];
static int statement_count, wal_pages, next_checkpoint = CHECKPOINT_PAGES;

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
static int compare(const void *a, const void *b) { double x = *(double *)a, y = *(double *)b; return x < y ? -1 : x > y; }
static void fail(const char *what) {
    fprintf(stderr, "sqlite_twin: %s: %s\n", what, sqlite3_errmsg(db));
    exit(1);
}
static int count_pages(void *context, sqlite3 *d, const char *name, int pages) {
    (void)context, (void)d, (void)name;
    wal_pages = pages;
    return SQLITE_OK;
}
static void checkpoint_when_long(void) {
    if (wal_pages < next_checkpoint) {
        if (wal_pages < CHECKPOINT_PAGES) next_checkpoint = CHECKPOINT_PAGES;
        return;
    }
    next_checkpoint = wal_pages + CHECKPOINT_PAGES / 4;
    if (sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL) != SQLITE_OK) fail("checkpoint");
}
static uint32_t u32(const uint8_t *p) { uint32_t v; memcpy(&v, p, 4); return v; }

/* Binds, steps and resets one recorded run; answers what follows it. */
static const uint8_t *run(const uint8_t *p, int *is_commit) {
    uint32_t index = u32(p);
    int count = p[4];
    p += 5;
    sqlite3_stmt *s = statements[index].prepared;
    if (!s) { /* pragmas change how later statements are prepared: each when it first runs */
        if (sqlite3_prepare_v3(db, statements[index].sql, statements[index].length, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK)
            fail("prepare");
        statements[index].prepared = s;
    }
    for (int i = 1; i <= count; i++) {
        uint8_t kind = *p++;
        uint32_t length;
        int64_t number;
        int rc;
        switch (kind) {
        case 'n': rc = sqlite3_bind_null(s, i); break;
        case 'i': memcpy(&number, p, 8), p += 8, rc = sqlite3_bind_int64(s, i, number); break;
        case 't': length = u32(p), rc = sqlite3_bind_text(s, i, (const char *)p + 4, (int)length, SQLITE_STATIC), p += 4 + length; break;
        default: length = u32(p), rc = length ? sqlite3_bind_blob(s, i, p + 4, (int)length, SQLITE_STATIC) : sqlite3_bind_zeroblob(s, i, 0), p += 4 + length;
        }
        if (rc != SQLITE_OK) fail("bind");
    }
    int rc;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW)
        for (int c = sqlite3_data_count(s) - 1; c >= 0; c--) sqlite3_column_blob(s, c), sqlite3_column_bytes(s, c);
    if (rc != SQLITE_DONE) fail(statements[index].sql);
    sqlite3_reset(s);
    /* wal_autocheckpoint takes the hook away (sqlite.org/c3ref/wal_hook.html) */
    if (!strncmp(statements[index].sql, "PRAGMA", 6)) sqlite3_wal_hook(db, count_pages, NULL);
    *is_commit = statements[index].is_commit;
    return p;
}

int main(int argc, char **argv) {
    if (argc != 4) { fprintf(stderr, "usage: sqlite_twin DATABASE RECORDING COMMANDS\n"); return 2; }
    int file = open(argv[2], O_RDONLY);
    struct stat st;
    if (file < 0 || fstat(file, &st)) { perror(argv[2]); return 2; }
    const uint8_t *begin = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0), *p = begin + 8, *end = begin + st.st_size;
    if (begin == MAP_FAILED || memcmp(begin, "WTDOSQL1", 8)) { fprintf(stderr, "sqlite_twin: no recording: %s\n", argv[2]); return 2; }
    if (sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL)) fail("open");
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    size_t room = 1 << 16, transactions = 0;
    double *latencies = malloc(room * sizeof *latencies), wall = 0, cpu = 0, last = 0;
    int measuring = 0;
    while (p < end) {
        int is_commit = 0;
        switch (*p++) {
        case 'S':
            if (statement_count == STATEMENTS_MAX) fail("too many statements");
            statements[statement_count].length = (int)u32(p);
            statements[statement_count].sql = strndup((const char *)p + 4, u32(p));
            statements[statement_count].is_commit = !strcmp(statements[statement_count].sql, "COMMIT");
            statement_count++, p += 4 + u32(p);
            break;
        case 'M':
            measuring = 1, wall = last = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
            break;
        case 'R':
            p = run(p, &is_commit);
            if (!is_commit) break;
            checkpoint_when_long();
            if (!measuring) break;
            if (transactions == room) latencies = realloc(latencies, (room *= 2) * sizeof *latencies);
            double t = now(CLOCK_MONOTONIC);
            latencies[transactions++] = (t - last) * 1e6, last = t;
            break;
        default: fail("a record of no kind");
        }
    }
    wall = now(CLOCK_MONOTONIC) - wall, cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    double commands = atof(argv[3]);
    qsort(latencies, transactions, sizeof *latencies, compare);
    printf("{\"cmds\":%.0f,\"transactions\":%zu,\"per_s\":%.0f,\"cpu_s_per_m\":%.3f,\"tx_p50_us\":%.0f,\"tx_p99_us\":%.0f}\n", commands, transactions,
           commands / wall, cpu * 1e6 / commands, transactions ? latencies[transactions / 2] : 0, transactions ? latencies[transactions * 99 / 100] : 0);
    for (int i = 0; i < statement_count; i++) sqlite3_finalize(statements[i].prepared);
    return sqlite3_close(db) != SQLITE_OK;
}
