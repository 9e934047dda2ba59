// Peer server: native uWebSockets, for compare.sh --native. Usage: uws PORT
// Paths and environment (COMPRESS, HEARTBEAT, TLS_CERT, TLS_KEY) are those of py_socketify.py, the settings too.
// Not built by anything here: the library is on GitHub only. With uWebSockets and uSockets beside each other:
//
//   for f in uSockets/src/*.c uSockets/src/eventing/*.c uSockets/src/crypto/openssl.c; do
//     case $f in *quic*) ;; *) gcc -O3 -march=native -DLIBUS_USE_OPENSSL -IuSockets/src -c "$f" ;; esac
//   done
//   g++ -O3 -march=native -std=c++2b -DLIBUS_USE_OPENSSL -IuWebSockets/src -IuSockets/src -o uws \
//     uws.cpp uSockets/src/crypto/sni_tree.cpp *.o -lssl -lcrypto -lz
#include "App.h"
#include <cstdio>
#include <cstdlib>

struct Nothing {};

template <bool SSL> void serve(uWS::TemplatedApp<SSL> app, int port, bool compress, bool beats) {
  using Behavior = typename uWS::TemplatedApp<SSL>::template WebSocketBehavior<Nothing>;
  auto behavior = [&] {
    Behavior b{};
    b.compression = compress ? uWS::CompressOptions(uWS::SHARED_COMPRESSOR | uWS::SHARED_DECOMPRESSOR) : uWS::DISABLED;
    b.maxPayloadLength = 1 << 24;
    b.maxBackpressure = 16 << 20;
    b.idleTimeout = beats ? 40 : 0;
    b.sendPingsAutomatically = beats;
    return b;
  };
  Behavior echo = behavior(), subscribers = behavior(), publishers = behavior();
  echo.message = [compress](auto *ws, std::string_view m, uWS::OpCode op) { ws->send(m, op, compress); };
  subscribers.open = [](auto *ws) { ws->subscribe("b"); };
  publishers.message = [&app, compress](auto *, std::string_view m, uWS::OpCode op) { app.publish("b", m, op, compress); };
  app.template ws<Nothing>("/echo", std::move(echo));
  app.template ws<Nothing>("/bcast", std::move(subscribers));
  app.template ws<Nothing>("/pub", std::move(publishers));
  app.listen("127.0.0.1", port, [](auto *socket) {
    if (!socket) exit(1);
    puts("ok");
    fflush(stdout);
  });
  app.run();
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  int port = atoi(arguments[1]);
  bool compress = getenv("COMPRESS"), beats = getenv("HEARTBEAT");
  const char *cert = getenv("TLS_CERT"), *key = getenv("TLS_KEY");
  if (cert && key) {
    serve(uWS::TemplatedApp<true>(uWS::SocketContextOptions{.key_file_name = key, .cert_file_name = cert}), port, compress, beats);
  } else {
    serve(uWS::TemplatedApp<false>(), port, compress, beats);
  }
}
