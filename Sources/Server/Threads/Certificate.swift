// The certificate that the server shows. Its files are read at the start and again after each SIGHUP, by a thread of
// their own, because a loop must not wait for a disk. Files that cannot be used are told to the operator and change
// nothing: a server with yesterday's certificate serves, one without any does not.

internal import Crypto
internal import Glibc
internal import Net

/// The PEM files that show who the server is: its certificate chain and the key to it.
package struct CertificateFiles: Sendable {
  package let certificate: String
  package let key: String

  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// Reads both files. Throws when they cannot be used, also when everybody on this machine can read the key.
  func read() throws(ServerError) -> TLSContext {
    let context: TLSContext
    do throws(TLSError) {
      context = try TLSContext.server(certificateFile: certificate, keyFile: key)
    } catch {
      throw .certificate(error)
    }
    var status = stat()
    guard stat(key, &status) == 0, status.st_mode & S_IROTH == 0 else { throw .exposedKey(key) }
    return context
  }
}

/// Returns words for the operator: `/etc/whattodo/fullchain.pem, good until 2027-02-19 10:00:00 UTC`.
func words(of files: CertificateFiles, _ context: TLSContext) -> String {
  "\(files.certificate), good until \(context.expiry ?? "nobody knows when")"
}

enum CertificateMessage: Sendable {
  case readAgain
  case stop
}

/// Runs on the certificate thread until `.stop`. `use` gets the context that connections are served with from then on.
func runCertificate(
  _ files: CertificateFiles, _ mailboxes: Mailboxes, use: @Sendable (TLSContext) -> Void
) {
  let log = Log(mailbox: mailboxes.log)
  while true {
    for message in mailboxes.certificate.wait() {
      switch message {
      case .readAgain:
        do throws(ServerError) {
          let context = try files.read()
          use(context)
          log.note("certificate: read again; new connections get \(words(of: files, context))")
        } catch {
          log.note("certificate: not changed, the old one stays in use. \(error)")
        }
      case .stop: return
      }
    }
  }
}
