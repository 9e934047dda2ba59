import Glibc

/// A file with all that is somebody's, a line of JSON for each thing (protocol §8.101): so it is whole up to where it was
/// interrupted, and nobody has to hold it in memory. Only its owner reads it.
struct ExportFile {
  let path: String

  func make() throws(Problem) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0, close(descriptor) == 0 else { throw failure }
  }

  func append(_ lines: [[UInt8]]) throws(Problem) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw failure }
    var rest = lines.flatMap { $0 + [UInt8(ascii: "\n")] }[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        let problem = failure
        close(descriptor)
        throw problem
      }
      rest = rest.dropFirst(count)
    }
    guard close(descriptor) == 0 else { throw failure }
  }

  private var failure: Problem {
    errno == EEXIST
      ? Problem("\(path) is there already; nothing was written")
      : Problem("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}
