import Glibc

/// Wakes a thread that waits in `Terminal.wait`, from any thread.
package struct Waker: Sendable {
  let readEnd: Int32
  private let writeEnd: Int32

  /// Opens a pipe, which lives as long as the program. Throws `.system` when no pipe is left.
  init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system("pipe", errno: errno) }
    for end in ends {
      guard fcntl(end, F_SETFL, O_NONBLOCK) == 0, fcntl(end, F_SETFD, FD_CLOEXEC) == 0 else {
        throw .system("fcntl", errno: errno)
      }
    }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  /// Wakes the waiting thread. Never blocks: a full pipe means that it will wake anyway.
  package func wake() {
    var byte: UInt8 = 1
    while Glibc.write(writeEnd, &byte, 1) < 0, errno == EINTR {}
  }

  func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(readEnd, &bytes, bytes.count) > 0 {}
  }
}
