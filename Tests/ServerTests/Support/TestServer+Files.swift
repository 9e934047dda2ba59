import Foundation
import Glibc
import Testing

extension TestServer {
  /// Expects that no file has the text. The log is cut between two batches.
  func expectNowhere(_ text: String) throws {
    let deadline = Date(timeIntervalSinceNow: 20)
    while try !files(with: text).isEmpty {
      guard Date() < deadline else {
        Issue.record("still there: \(try files(with: text))")
        return
      }
      sched_yield()
    }
  }

  func files(with text: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      let data = try? Data(contentsOf: URL(filePath: folder + "/" + name))
      return data?.range(of: Data(text.utf8)) != nil
    }
  }
}
