import Foundation
import FuzzTargets
import Testing

/// Everything that the fuzzers keep, in a build without them.
@Suite("The fuzzers' corpus keeps its promises")
struct CorpusTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fuzz/Corpus")

  @Test("every input of", arguments: FuzzTarget.all.map(\.name))
  func corpus(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let folder = CorpusTests.folder.appending(path: name)
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files {
      let bytes = try Array(Data(contentsOf: file))
      do throws(Finding) {
        try target.run(bytes)
      } catch {
        Issue.record("\(file.lastPathComponent): \(error)")
      }
    }
  }
}
