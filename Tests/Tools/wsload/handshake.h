// The opening handshake (RFC 6455 §4.1); all connections use one key.
#pragma once
#include <stddef.h>

// Makes the key, and what the server must answer to it.
void handshake_prepare(void);

// Writes the request of a connection that asks for this path; its length.
int handshake_request(const char *path, char *out, size_t capacity);

// What is wrong with this answer, which ends with a zero; NULL: nothing.
const char *handshake_fault(const char *answer);
