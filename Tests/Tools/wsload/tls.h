// TLS of a connection, by OpenSSL. Built without WITH_TLS, only `tls_prepare` may be called, and it gives up.
#pragma once
#include <stdint.h>
#include <sys/types.h>

struct ssl_st;

enum tls_step { TLS_DONE, TLS_WANTS_INPUT, TLS_WANTS_OUTPUT, TLS_FAILED };

// Once. Certificates are not verified.
void tls_prepare(void);
struct ssl_st *tls_begin(int socket);
enum tls_step tls_handshake(struct ssl_st *tls);
// As recv and send: 0 is the end, -1 with errno EAGAIN "later".
ssize_t tls_read(struct ssl_st *tls, uint8_t *bytes, size_t count);
ssize_t tls_write(struct ssl_st *tls, const uint8_t *bytes, size_t count);
// Whether bytes lie here of which the socket knows no more.
int tls_holds_input(struct ssl_st *tls);
