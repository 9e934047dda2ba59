import COpenSSL
import Glibc

/// The reason why certificate and key files cannot be used. It is for the operator, who gave their names.
package enum TLSError: Error, Hashable, Sendable {
  /// The content that a file should have.
  package enum Content: String, Sendable {
    case certificate, key = "private key", authorities = "certificate authority"
  }

  /// The file cannot be opened or read.
  case unreadable(String, Content, errno: Int32)
  /// The file holds no such thing in PEM form.
  case missing(String, Content)
  /// The key file asks for a passphrase, and there is nobody to give it.
  case locked(key: String)
  /// The key belongs to another certificate.
  case mismatch(certificate: String, key: String)
  /// The time of a certificate in the file is over; the moment as `2026-11-20 10:00:00 UTC`.
  case expired(String, since: String)
  /// The time of a certificate in the file begins later.
  case notYetValid(String, until: String)
  /// OpenSSL does not accept the file's content, such as a key that is too short.
  case refused(String, reason: String)
  /// OpenSSL itself fails: no memory, or a configuration of the system that leaves no cipher.
  case library(reason: String)
}

extension TLSError: CustomStringConvertible {
  /// One sentence that names the file and the cause.
  package var description: String {
    switch self {
    case .unreadable(let file, let content, let errno):
      "The \(content.rawValue) file \(file) cannot be read: \(TLSError.text(of: errno))."
    case .missing(let file, let content):
      "The file \(file) holds no \(content.rawValue) in PEM form (-----BEGIN …-----)."
    case .locked(let file):
      "The key in \(file) is locked with a passphrase: give a file with the unlocked key."
    case .mismatch(let certificate, let key):
      "The key in \(key) does not belong to the certificate in \(certificate)."
    case .expired(let file, let since): "The certificate in \(file) expired on \(since)."
    case .notYetValid(let file, let until):
      "The certificate in \(file) is not valid before \(until)."
    case .refused(let file, let reason): "OpenSSL refuses the file \(file): \(reason)."
    case .library(let reason): "OpenSSL cannot be set up: \(reason)."
    }
  }

  private static func text(of errno: Int32) -> String {
    guard let text = strerror(errno) else { return "unknown error" }
    return String(cString: text)
  }
}

/// The errors that OpenSSL left in this thread's queue, oldest first.
struct TLSErrorQueue {
  private var codes: [UInt] = []

  /// Takes everything out of the queue.
  static func take() -> TLSErrorQueue {
    var queue = TLSErrorQueue()
    while case let code = ERR_get_error(), code != 0 { queue.codes.append(UInt(code)) }
    return queue
  }

  /// The errno, when the kernel had a part in the failure.
  var errno: Int32? {
    codes.first { ERR_GET_LIB($0) == ERR_LIB_SYS }.map { ERR_GET_REASON($0) }
  }

  /// Returns the first reason of one part of OpenSSL. Those of other parts explain it, or belong to earlier questions.
  func firstReason(of library: Int32) -> Int32? {
    codes.first { ERR_GET_LIB($0) == library }.map { ERR_GET_REASON($0) }
  }

  func contains(library: Int32, reason: Int32) -> Bool {
    codes.contains { ERR_GET_LIB($0) == library && ERR_GET_REASON($0) == reason }
  }

  /// The reason of the first error, which is where it went wrong.
  var reason: String {
    guard let first = codes.first, let text = ERR_reason_error_string(first) else {
      return "unknown error"
    }
    return String(cString: text)
  }
}
