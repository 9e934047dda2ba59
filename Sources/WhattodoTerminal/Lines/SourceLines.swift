import Client
import Domain
import Screen
import Wire

// Lines about the source of a post.

extension ListLines {
  /// Returns a line for behind the post: `        from forge ↗ https://forge.example/issues/12`.
  static func source(of post: Post) -> [Line] {
    guard let source = post.source else { return [] }
    let words: Phrase = "from \(source.name) ↗ \(source.url ?? source.id)"
    return [Line("        ", hang: 8).and(words, .dim)]
  }
}

extension EventLines {
  /// Returns what another program changed in the post, as an edit; nil when it changed only the address of the source.
  func importedLine(
    _ op: PostOp, _ applied: AppliedEvent, _ who: Who, _ place: String
  ) -> Line? {
    guard case .imported(let id, _, let edit, let source) = op else { return nil }
    return edited(id, edit, applied, who, place).map { line in
      guard let source else { return line }
      return line.and(" (from \(source.name))", .dim)
    }
  }
}

extension JSONWriter {
  /// Writes `"source":{"name":"forge","id":"12","url":"https://forge.example/issues/12"}`.
  mutating func source(of post: Post) {
    guard let source = post.source else { return }
    object("source") { writer in
      writer.member("name", source.name)
      writer.member("id", source.id)
      if let url = source.url { writer.member("url", url) }
    }
  }
}
