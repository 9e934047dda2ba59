import Calendar
import Domain

@testable import Sync

extension LedgerBench {
  /// The lists with their posts, those that have left the state included.
  var lists: [(category: Category, posts: [Post])] {
    content.rows.keys.sorted().compactMap { stream in
      guard case .category(let category)? = objects(.category, in: stream).first else { return nil }
      let posts = objects(.post, in: stream).compactMap { object -> Post? in
        if case .post(let post) = object { post } else { nil }
      }
      return (category, posts.sorted { $0.number < $1.number })
    }
  }

  /// The rows that the posts must have.
  var expectedDues: [CategoryID: [Int: PostDue]] {
    var dues: [CategoryID: [Int: PostDue]] = [:]
    for (category, posts) in lists {
      for post in posts {
        let due = PostDue(post, in: category, .system)
        if due.deadline != nil { dues[category.id, default: [:]][post.number] = due }
      }
    }
    return dues
  }

  /// Returns the dues that a store would find.
  func untoldDues(through time: Timestamp) -> [DuePost] {
    lists.flatMap { category, posts in
      posts.compactMap { post in
        guard let due = content.dues[category.id]?[post.number], !due.isTold,
          let deadline = due.deadline, deadline <= time
        else { return nil }
        return DuePost(category: category.id, post: post.id, deadline: deadline)
      }
    }
  }

  /// Tells deadlines, as the ledger does by itself at this moment.
  mutating func tellOverdue() {
    for work in Deadlines.works(for: untoldDues(through: now)) { _ = settle(work) }
    commit()
  }

  /// Checks everything that is left to be checked.
  mutating func checkDues() {
    for list in content.dueChecks.sorted() {
      let posts = lists.first { $0.category.id == list }?.posts ?? []
      let open = posts.filter { $0.completed == nil && $0.removed == nil }.map(\.id)
      _ = settle(.checkDues(DueCheckPart(category: list, posts: open, through: nil)))
      commit()
    }
  }
}
