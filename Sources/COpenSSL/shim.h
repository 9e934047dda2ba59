#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/decodererr.h>
#include <openssl/params.h>
#include <openssl/pemerr.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509err.h>
#include <openssl/x509v3.h>

// What OpenSSL has as macros only, which Swift does not see.

static inline int whattodo_tls_require_tls12(SSL_CTX *context) {
  return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

/// No compression (CRIME), no renegotiation, our own order of ciphers.
static inline void whattodo_tls_set_options(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
}

static inline long whattodo_tls_set_mode(SSL_CTX *context, long mode) {
  return SSL_CTX_set_mode(context, mode);
}

static inline long whattodo_tls_read_ahead(SSL_CTX *context) {
  return SSL_CTX_set_read_ahead(context, 1);
}

static inline long whattodo_tls_set_session_cache_mode(SSL_CTX *context, long mode) {
  return SSL_CTX_set_session_cache_mode(context, mode);
}

static inline int whattodo_tls_set_server_name(SSL *session, const char *name) {
  return (int)SSL_set_tlsext_host_name(session, name);
}

static inline void whattodo_tls_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline void whattodo_tls_retry_read(BIO *bio) { BIO_set_retry_read(bio); }

/// `*.example.org` is good for one whole label only.
static inline void whattodo_tls_whole_wildcards_only(X509_VERIFY_PARAM *rules) {
  X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
}

/// Readies HMAC-SHA-256. (Here, because OSSL_PARAM keeps pointers to its names.)
static inline int whattodo_tls_set_code_key(EVP_MAC_CTX *code, unsigned char *key, size_t count) {
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key, count),
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
      OSSL_PARAM_construct_end(),
  };
  return EVP_MAC_CTX_set_params(code, parameters);
}

/// The certificates after the first of the chain file; NULL when there are none. They stay the context's.
static inline const STACK_OF(X509) *whattodo_tls_chain(SSL_CTX *context) {
  STACK_OF(X509) *chain = NULL;
  return SSL_CTX_get0_chain_certs(context, &chain) == 1 ? chain : NULL;
}

static inline int whattodo_tls_chain_count(const STACK_OF(X509) *chain) { return sk_X509_num(chain); }

static inline X509 *whattodo_tls_chain_at(const STACK_OF(X509) *chain, int index) {
  return sk_X509_value(chain, index);
}
