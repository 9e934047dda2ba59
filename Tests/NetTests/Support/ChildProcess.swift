import Glibc
import Net

/// A program of this package, with its outputs in pipes.
final class ChildProcess {
  private let id: pid_t
  private let output: Int32
  private let errors: Int32

  /// `name` is a program beside the test binary.
  init?(_ name: String, _ arguments: [String]) {
    var output: [Int32] = [0, 0]
    var errors: [Int32] = [0, 0]
    guard pipe(&output) == 0, pipe(&errors) == 0 else { return nil }
    // Another child that held them too would keep the end of the stream away.
    for descriptor in output + errors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    posix_spawn_file_actions_adddup2(&actions, errors[1], 2)
    let path = ChildProcess.folder + name
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    let result = posix_spawn(&id, path, &actions, nil, &words, environ)
    close(output[1])
    close(errors[1])
    guard result == 0 else { return nil }
    self.id = id
    self.output = output[0]
    self.errors = errors[0]
  }

  deinit {
    close(output)
    close(errors)
  }

  func send(_ signal: Int32) { kill(id, signal) }

  /// Returns the bytes that were printed up to the first line end.
  func readLine() -> String {
    ChildProcess.read(output) { $0.last == UInt8(ascii: "\n") }
  }

  /// The exit status (or 128 and the signal) and everything that was printed since.
  func wait() -> (status: Int32, output: String, errors: String) {
    let texts = (ChildProcess.read(output) { _ in false }, ChildProcess.read(errors) { _ in false })
    var status: Int32 = 0
    waitpid(id, &status, 0)
    let signal = status & 0x7F
    return (signal == 0 ? (status >> 8) & 0xFF : 128 + signal, texts.0, texts.1)
  }

  private static var folder: String {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count)
    let text = String(
      decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/") + "/"
  }

  private static func read(_ descriptor: Int32, until isEnough: ([UInt8]) -> Bool) -> String {
    let deadline = Deadline()
    var bytes: [UInt8] = []
    while !isEnough(bytes) {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, Int32(deadline.leftMilliseconds)) == 1 else { break }
      var part = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(descriptor, &part, part.count)
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
