// The lists that a search or a view goes through: those of the asker that are not removed, or the named ones. A search
// takes named lists also when they are removed; a view leaves out archived ones. When there is too much, those that
// were changed last are taken.

import Domain
import Wire

/// The lists that are looked through.
struct LookedLists {
  /// The lists, in the order of their ids.
  let lists: [SearchedList]
  /// The number of lists that are left out because the others have so much.
  let omitted: Int
}

/// The amount that is looked through at a time.
enum PostBudget {
  /// The words of all posts.
  case words
  /// The rows of open posts, or (`all`) of all posts.
  case open
  case all

  var max: Int {
    switch self {
    case .words: ReadingLimits.searchPosts
    case .open, .all: ReadingLimits.viewRows
    }
  }

  func posts(of list: SearchedList) -> Int {
    switch self {
    case .words, .all: list.posts
    case .open: list.open
    }
  }
}

extension Reader {
  /// Returns the lists to look through; fails when a named list may not be read. Call it within a read transaction.
  func lists(
    of identity: Identity, _ named: [CategoryID]?, _ method: Method, _ budget: PostBudget
  ) throws(StoreError) -> Result<LookedLists, Failure> {
    guard let named else {
      let all = try store.searchedLists(of: identity.user)
      let read = all.filter {
        Permission.allows($0.role, method) && (method == .query(.search) || !$0.isArchived)
      }
      return .success(LookedLists(read, budget))
    }
    var lists: [SearchedList] = []
    for category in named {
      if let failure = try refusal(identity, .category(category), method) {
        return .failure(failure)
      }
      // The deadlines of removed and of archived lists have no rows.
      let list = try list(category, of: identity.user, evenInactive: method == .query(.search))
      if let list { lists.append(list) }
    }
    return .success(LookedLists(lists, budget))
  }

  private func list(
    _ category: CategoryID, of user: UserID, evenInactive: Bool
  ) throws(StoreError) -> SearchedList? {
    let stream = StreamID.category(category)
    guard let access = try store.access(of: user, to: stream),
      let body = try store.object(stream.headKey, in: stream),
      case .category(let head) = try object(body), evenInactive || head.isActive
    else { return nil }
    return SearchedList(
      category: category, role: access.role, changedAt: access.head.at, posts: head.lastPost,
      zone: head.zone, joinedSeq: access.joinedSeq, open: head.counters.open,
      isArchived: head.archived != nil)
  }
}

extension LookedLists {
  /// Keeps the lists that were changed last when all together are too much, but always at least one.
  fileprivate init(_ all: [SearchedList], _ budget: PostBudget) {
    guard all.reduce(0, { $0 + budget.posts(of: $1) }) > budget.max else {
      self.init(lists: all, omitted: 0)
      return
    }
    var (kept, posts): ([SearchedList], Int) = ([], 0)
    for list in all.sorted(by: { ($1.changedAt, $0.category) < ($0.changedAt, $1.category) }) {
      posts += budget.posts(of: list)
      guard kept.isEmpty || posts <= budget.max else { break }
      kept.append(list)
    }
    self.init(
      lists: kept.sorted { $0.category < $1.category }, omitted: all.count - kept.count)
  }
}
