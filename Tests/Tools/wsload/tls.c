#include "tls.h"

#include <errno.h>

#include "wsload.h"

#ifdef WITH_TLS
#include <openssl/err.h>
#include <openssl/ssl.h>

static SSL_CTX *context;

void tls_prepare(void) {
  context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

SSL *tls_begin(int socket) {
  SSL *tls = SSL_new(context);
  SSL_set_fd(tls, socket);
  SSL_set_connect_state(tls);
  return tls;
}

enum tls_step tls_handshake(SSL *tls) {
  int code = SSL_do_handshake(tls);
  if (code == 1) return TLS_DONE;
  int error = SSL_get_error(tls, code);
  return error == SSL_ERROR_WANT_READ    ? TLS_WANTS_INPUT
         : error == SSL_ERROR_WANT_WRITE ? TLS_WANTS_OUTPUT
                                         : TLS_FAILED;
}

static ssize_t failure(int error) {
  errno = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? EAGAIN : EPIPE;
  return -1;
}

ssize_t tls_read(SSL *tls, uint8_t *bytes, size_t count) {
  int code = SSL_read(tls, bytes, (int)count);
  if (code > 0) return code;
  int error = SSL_get_error(tls, code);
  return error == SSL_ERROR_ZERO_RETURN ? 0 : failure(error);
}

ssize_t tls_write(SSL *tls, const uint8_t *bytes, size_t count) {
  int code = SSL_write(tls, bytes, (int)count);
  return code > 0 ? code : failure(SSL_get_error(tls, code));
}

int tls_holds_input(SSL *tls) { return SSL_pending(tls) > 0; }

#else

static _Noreturn void missing(void) { die("built without WITH_TLS"); }

void tls_prepare(void) { missing(); }
struct ssl_st *tls_begin(int socket) { (void)socket, missing(); }
enum tls_step tls_handshake(struct ssl_st *tls) { (void)tls, missing(); }
ssize_t tls_read(struct ssl_st *tls, uint8_t *bytes, size_t count) {
  (void)tls, (void)bytes, (void)count, missing();
}
ssize_t tls_write(struct ssl_st *tls, const uint8_t *bytes, size_t count) {
  (void)tls, (void)bytes, (void)count, missing();
}
int tls_holds_input(struct ssl_st *tls) { (void)tls, missing(); }

#endif
