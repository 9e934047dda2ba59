package import Domain
package import Sync

extension MemoryStore {
  package func posts(
    beginning title: TwinTitle, in category: CategoryID
  ) throws(StoreError) -> [Post] {
    var found: [Post] = []
    for row in content.streams[.category(category)]?.rows(where: { $0.key.kind == .post }) ?? [] {
      guard case .post(let post) = try decoded(row.body), post.removed == nil,
        post.foldedWords.starts(with: title.folded)
      else { continue }
      found.append(post)
    }
    return Array(found.sorted { $0.number > $1.number }.prefix(TwinTitle.lookedAtMax))
  }
}
