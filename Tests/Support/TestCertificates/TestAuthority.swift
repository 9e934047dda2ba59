// Certificates for tests, made by the program `openssl` when a test runs, so none is ever committed and
// none runs out.

import Glibc

/// A certificate authority in a folder of its own, which goes with the object.
package final class TestAuthority: Sendable {
  /// Keys that certificates are made for.
  package enum Key: String, Sendable {
    case p256 = "-algorithm EC -pkeyopt ec_paramgen_curve:P-256"
    case rsa2048 = "-algorithm RSA -pkeyopt rsa_keygen_bits:2048"
    /// Too short for OpenSSL's security level.
    case rsa1024 = "-algorithm RSA -pkeyopt rsa_keygen_bits:1024"
  }

  /// When certificates are good.
  package enum Time: Sendable {
    case now, past, future
  }

  /// The files of one certificate.
  package struct Identity: Sendable {
    /// The chain without the authority.
    package let certificateFile: String
    package let keyFile: String
  }

  /// Tells which thing could not be made.
  package struct Failure: Error {
    package let command: String
    package let output: String
  }

  package let folder: String
  package var authorityFile: String { folder + "/ca.pem" }

  /// An authority for all tests of a process that do not spoil it.
  package static let shared = Result { () throws(Failure) in try TestAuthority() }

  package init() throws(Failure) {
    var template = Array("/tmp/test-certificates-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw Failure(command: "mkdtemp", output: "errno \(errno)")
    }
    folder = String(cString: made)
    try openssl("genpkey \(Key.p256.rawValue) -out ca-key.pem")
    try openssl(
      "req -x509 -new -key ca-key.pem -days 2 -subj /CN=test -out ca.pem"
        + " -addext basicConstraints=critical,CA:TRUE -addext keyUsage=keyCertSign,cRLSign")
  }

  deinit {
    var status: Int32 = 0
    guard let id = TestAuthority.spawn("rm -rf \(folder)") else { return }
    waitpid(id, &status, 0)
  }

  /// A certificate of this authority. The names are as openssl writes them: `DNS:localhost,IP:127.0.0.1`.
  package func issue(
    _ name: String, names: String = "DNS:localhost,IP:127.0.0.1,IP:::1", key: Key = .p256,
    time: Time = .now
  ) throws(Failure) -> Identity {
    try openssl("genpkey \(key.rawValue) -out \(name)-key.pem")
    try openssl("req -new -key \(name)-key.pem -subj /CN=\(name) -out \(name).csr")
    try write(
      "\(name).ext",
      "basicConstraints=critical,CA:FALSE\nsubjectAltName=\(names)\n"
        + "extendedKeyUsage=serverAuth\nauthorityKeyIdentifier=keyid\n")
    switch time {
    case .now, .past:
      try openssl(
        "x509 -req -in \(name).csr -CA ca.pem -CAkey ca-key.pem -days \(time == .now ? 2 : -1)"
          + " -set_serial \(name.utf8.reduce(7) { ($0 * 31 + Int($1)) % 1_000_003 })"
          + " -extfile \(name).ext -out \(name).pem")
    case .future: try issueLater(name)
    }
    return Identity(
      certificateFile: "\(folder)/\(name).pem", keyFile: "\(folder)/\(name)-key.pem")
  }

  /// A file with the given content in the folder; its path.
  @discardableResult
  package func write(_ name: String, _ content: String) throws(Failure) -> String {
    let path = "\(folder)/\(name)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(command: "open \(path)", output: "errno \(errno)") }
    defer { close(descriptor) }
    let bytes = Array(content.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw Failure(command: "write \(path)", output: "errno \(errno)")
    }
    return path
  }

  /// The content of a file in the folder.
  package func read(_ name: String) throws(Failure) -> String {
    guard let text = TestAuthority.content("\(folder)/\(name)") else {
      throw Failure(command: "read \(name)", output: "errno \(errno)")
    }
    return text
  }

  /// Runs `openssl` in the folder; the words are separated by spaces.
  package func openssl(_ words: String) throws(Failure) {
    var status: Int32 = -1
    guard let id = TestAuthority.spawn("cd \(folder) && openssl \(words) </dev/null >>output 2>&1"),
      waitpid(id, &status, 0) == id, status == 0
    else {
      throw Failure(command: words, output: TestAuthority.content("\(folder)/output") ?? "")
    }
  }

  /// Only `openssl ca` takes a beginning.
  private func issueLater(_ name: String) throws(Failure) {
    try write(
      "ca.conf",
      "[ca]\ndefault_ca=own\n[own]\ndatabase=index\nnew_certs_dir=.\nserial=serial\n"
        + "default_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n")
    try write("index", "")
    try write("serial", "77\n")
    try openssl(
      "ca -batch -notext -config ca.conf -cert ca.pem -keyfile ca-key.pem -in \(name).csr"
        + " -startdate 20900101000000Z -enddate 20910101000000Z -extfile \(name).ext"
        + " -out \(name).pem")
  }

  private static func spawn(_ line: String) -> pid_t? {
    let line = ["/bin/sh", "-c", line]
    var words = line.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    return posix_spawn(&id, "/bin/sh", nil, nil, &words, environ) == 0 ? id : nil
  }

  private static func content(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
