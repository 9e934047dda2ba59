// Frames of RFC 6455 §5, as a client sends and takes them.
#pragma once
#include "connection.h"

enum opcode { OPCODE_TEXT = 1, OPCODE_BINARY = 2, OPCODE_CLOSE = 8, OPCODE_PING = 9, OPCODE_PONG = 10 };

// Queues a frame, masked with a key of its own, and compressed when that was agreed.
void frame_queue(struct connection *it, enum opcode opcode, const uint8_t *bytes, uint32_t count);

// Takes the whole frames among these bytes, which came at `now`; the number of bytes used. What breaks the
// protocol drops the connection.
size_t frames_read(struct connection *it, const uint8_t *bytes, size_t count, uint64_t now);
