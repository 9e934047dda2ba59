// The state folder of a client, which says who is signed in where. One folder has one session with one server: a token
// is only ever sent to the server that gave it. The folder is 0700 and its files 0600. A file is replaced whole
// (written beside, renamed), so a crash leaves the old one or the new one.

import Glibc

/// The folder of one signed-in person: `${XDG_STATE_HOME:-~/.local/state}/whattodo` or a given folder.
package struct StateFolder: Sendable {
  /// An open session on this device.
  package struct Session: Equatable, Sendable {
    /// The URL of the server that gave the token.
    package let server: String
    package let username: String
    package let token: String
    /// The file with the authorities that this server was signed in to with. Nil for the system's own.
    package let authorities: String?
    /// The name by which its copies and its queue are kept (AccountFiles): the name with which the person began. A
    /// guest who takes another name keeps the commands that wait.
    package let files: String
    package init(
      server: String, username: String, token: String, authorities: String? = nil,
      files: String? = nil
    ) {
      self.files = files ?? username
      self.server = server
      self.username = username
      self.token = token
      self.authorities = authorities
    }
  }

  private enum File: String, CaseIterable {
    case session
    /// This device's own secret: sign-ins from it are not slowed by others' wrong guesses.
    case device
    /// The stream of the list that was open last.
    case open
    /// The changes that this device has made, for undo: lines, added at the end.
    case changes
  }

  private static let bytesMax = 16 * 1024
  private static let changesBytesMax = 4 * 1024 * 1024

  package let path: String

  /// Finds the folder. A nil `path` means the usual place. Throws `.folder` when there is no home folder to find it in.
  package init(path: String?) throws(ClientError) {
    if let path {
      self.path = path
    } else if let state = StateFolder.environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      self.path = state + "/whattodo"
    } else if let home = StateFolder.environment("HOME") {
      self.path = home + "/.local/state/whattodo"
    } else {
      throw .folder("no HOME is set; say where to keep the sign-in with --state DIR")
    }
  }

  /// Reads the session kept here. Nil when nobody is signed in.
  package func session() throws(ClientError) -> Session? {
    guard let text = try read(.session) else { return nil }
    var fields: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2 { fields[parts[0]] = String(parts[1]) }
    }
    guard let server = fields["server"], let username = fields["username"],
      let token = fields["token"]
    else { throw .folder("\(path)/session is damaged; delete it and log in again") }
    return Session(
      server: server, username: username, token: token, authorities: fields["authorities"],
      files: fields["files"])
  }

  package func save(_ session: Session) throws(ClientError) {
    var lines = [
      "server \(session.server)", "username \(session.username)", "token \(session.token)",
    ]
    if session.files != session.username { lines.append("files \(session.files)") }
    // A name with a line feed would be read back as something else.
    if let authorities = session.authorities, !authorities.contains("\n") {
      lines.append("authorities \(authorities)")
    }
    try write(.session, lines.map { $0 + "\n" }.joined())
  }

  /// Returns a file's name in a form that is good from every folder. It stays as it was given when there is no such
  /// file.
  package static func fullPath(_ name: String) -> String {
    guard let found = realpath(name, nil) else { return name }
    defer { free(found) }
    return String(cString: found)
  }

  /// Returns this device's secret, which is made when first asked for.
  package func device() throws(ClientError) -> String {
    if let known = try read(.device), !known.isEmpty { return known }
    let made = Identifiers.secret()
    try write(.device, made)
    return made
  }

  /// Reads the list that was open last, as it was saved.
  package func openList() throws(ClientError) -> String? { try read(.open) }

  package func saveOpenList(_ text: String) throws(ClientError) { try write(.open, text) }

  /// Reads the changes of this device, as they were added. The oldest may be cut off.
  package func changes() throws(ClientError) -> String {
    try read(.changes, bytesMax: StateFolder.changesBytesMax) ?? ""
  }

  /// Adds a change. Several programs may do so at once.
  package func add(change line: String) throws(ClientError) {
    try make()
    let name = name(.changes)
    let descriptor = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("write", name) }
    let bytes = Array(line.utf8)
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    guard close(descriptor) == 0, isWritten else { throw failure("write", name) }
  }

  package func save(changes text: String) throws(ClientError) { try write(.changes, text) }

  /// Deletes everything that is local.
  package func deleteAll() throws(ClientError) {
    for file in File.allCases {
      for name in [self.name(file), self.name(file) + ".new"] {
        guard unlink(name) == 0 || errno == ENOENT else { throw failure("delete", name) }
      }
    }
    // Other programs may have put files of their own there; then the folder stays.
    guard rmdir(path) == 0 || errno == ENOENT || errno == ENOTEMPTY else {
      throw failure("delete", path)
    }
  }

  private func name(_ file: File) -> String { path + "/" + file.rawValue }

  private func read(
    _ file: File, bytesMax: Int = StateFolder.bytesMax
  ) throws(ClientError) -> String? {
    let descriptor = open(name(file), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("read", name(file))
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: StateFolder.bytesMax)
    while bytes.count < bytesMax {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw failure("read", name(file)) }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(_ file: File, _ text: String) throws(ClientError) {
    try make()
    let new = name(file) + ".new"
    guard unlink(new) == 0 || errno == ENOENT else { throw failure("replace", new) }
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("write", new) }
    let bytes = Array(text.utf8)
    let written = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    let kept = written && fsync(descriptor) == 0
    let problem = errno
    guard close(descriptor) == 0, kept else {
      errno = problem
      throw failure("write", new)
    }
    guard rename(new, name(file)) == 0 else { throw failure("write", name(file)) }
  }

  /// Makes the folder and those above it, only for their owner.
  func make() throws(ClientError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || errno == EISDIR else {
        throw failure("make", made)
      }
    }
  }

  private func failure(_ verb: String, _ name: String) -> ClientError {
    let reason = String(cString: strerror(errno))
    return .folder("cannot \(verb) \(name): \(reason)")
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
