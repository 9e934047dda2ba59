#include "frames.h"

#include <string.h>

#include "compression.h"
#include "messages.h"
#include "options.h"

enum { FINAL = 0x80, COMPRESSED = 0x40, RESERVED = 0x30, MASKED = 0x80 };
static const uint64_t frame_bytes_max = 1u << 30;

// Sending

static int put_length(uint8_t *header, uint32_t count) {
  if (count < 126) {
    header[1] = (uint8_t)(MASKED | count);
    return 2;
  }
  if (count < 65536) {
    header[1] = MASKED | 126;
    header[2] = (uint8_t)(count >> 8);
    header[3] = (uint8_t)count;
    return 4;
  }
  header[1] = MASKED | 127;
  for (int i = 0; i < 8; i++) header[2 + i] = (uint8_t)((uint64_t)count >> (56 - 8 * i));
  return 10;
}

static void mask(uint8_t *bytes, uint32_t count, uint32_t key) {
  uint64_t twice = (uint64_t)key << 32 | key;
  uint8_t single[4];
  memcpy(single, &key, 4);
  uint32_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, 8);
    word ^= twice;
    memcpy(bytes + i, &word, 8);
  }
  for (; i < count; i++) bytes[i] ^= single[i & 3];
}

void frame_queue(struct connection *it, enum opcode opcode, const uint8_t *bytes, uint32_t count) {
  uint8_t header[14];
  int is_compressed = options.is_deflate && opcode < OPCODE_CLOSE;
  if (is_compressed) bytes = compressed(bytes, &count);
  header[0] = (uint8_t)(FINAL | (is_compressed ? COMPRESSED : 0) | opcode);
  int length = put_length(header, count);
  uint32_t key = random_32();
  memcpy(header + length, &key, 4);
  connection_append(it, header, (uint32_t)length + 4);
  connection_append(it, bytes, count);
  mask(it->output.bytes + it->output.count - count, count, key);
}

// Taking

struct frame {
  int opcode, is_final, is_compressed;
  const uint8_t *payload;
  uint64_t count;
};

// The bytes of the frame that begins here; 0: it is not whole, or the connection was dropped.
static size_t frame_at(struct connection *it, const uint8_t *bytes, size_t count, struct frame *frame) {
  if (count < 2) return 0;
  if (bytes[1] & MASKED) return connection_drop(it, "masked frame from server"), 0;
  size_t header = 2;
  uint64_t length = bytes[1];
  if (length >= 126) {
    header = length == 126 ? 4 : 10;
    if (count < header) return 0;
    length = 0;
    for (size_t i = 2; i < header; i++) length = length << 8 | bytes[i];
  }
  if (length > frame_bytes_max) return connection_drop(it, "frame too long"), 0;
  if (count < header + length) return 0;
  *frame = (struct frame){.opcode = bytes[0] & 15, .is_final = bytes[0] >> 7, .is_compressed = bytes[0] >> 6 & 1,
                          .payload = bytes + header, .count = length};
  if (bytes[0] & RESERVED || (frame->is_compressed && !options.is_deflate))
    return connection_drop(it, "reserved bit set"), 0;
  return header + length;
}

static void take_control(struct connection *it, const struct frame *frame) {
  if (frame->opcode == OPCODE_PING) frame_queue(it, OPCODE_PONG, frame->payload, (uint32_t)frame->count);
  else if (frame->opcode == OPCODE_PONG) it->pongs++;
  else connection_drop(it, "closed by server");
}

static void take_message(struct connection *it, const uint8_t *bytes, uint32_t count, int is_compressed,
                         uint64_t now) {
  count_wire(count, is_compressed);
  if (is_compressed) bytes = decompressed(bytes, &count);
  if (bytes) message_arrived(it, bytes, count, now);
  else connection_drop(it, "bad compressed message");
}

static void take_data(struct connection *it, const struct frame *frame, uint64_t now) {
  if (frame->opcode == 0 ? !it->in_message : it->in_message) {
    connection_drop(it, "bad continuation");
    return;
  }
  uint32_t count = (uint32_t)frame->count;
  if (frame->is_final && !it->in_message) {
    take_message(it, frame->payload, count, frame->is_compressed, now);
    return;
  }
  struct block *message = &it->message;
  if (!it->in_message) it->in_message = 1, message->count = 0, it->is_compressed = (uint8_t)frame->is_compressed;
  reserve(message, message->count + count);
  memcpy(message->bytes + message->count, frame->payload, count);
  message->count += count;
  if (!frame->is_final) return;
  it->in_message = 0;
  take_message(it, message->bytes, message->count, it->is_compressed, now);
}

size_t frames_read(struct connection *it, const uint8_t *bytes, size_t count, uint64_t now) {
  size_t used = 0, length;
  struct frame frame;
  while (it->state != STATE_CLOSED && (length = frame_at(it, bytes + used, count - used, &frame))) {
    used += length;
    if (frame.opcode >= OPCODE_CLOSE) take_control(it, &frame);
    else take_data(it, &frame, now);
  }
  return used;
}
