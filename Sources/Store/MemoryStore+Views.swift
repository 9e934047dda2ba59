// Views of a store in memory: a look at every post.

import Domain
package import Sync

extension MemoryStore {
  package func viewed(_ view: PostView) throws(StoreError) -> ViewedPage {
    var found: [ViewedPost] = []
    for list in view.lists {
      for post in try posts(of: list) where view.shows(post, in: list) {
        let place = view.place(of: post, in: list)
        if view.after.map({ $0 < place }) ?? true { found.append(ViewedPost(post, at: place)) }
      }
    }
    return ViewedPage(Array(found.sorted { $0.place < $1.place }.prefix(view.limit)))
  }

  package func dues(_ range: DueRange) throws(StoreError) -> DueMarks {
    var marks: [DueMark] = []
    var overdue = 0
    for list in range.lists {
      var found: [(number: Int, mark: DueMark)] = []
      for post in try posts(of: list) where PostState.open.holds(post) {
        guard let due = post.due,
          let deadline = due.deadline(categoryZone: list.zone, almanac: range.almanac)
        else { continue }
        if deadline <= range.now { overdue += 1 }
        guard range.deadlines.contains(deadline) else { continue }
        let day: Day? = if case .day(let day) = due { day } else { nil }
        found.append((post.number, DueMark(deadline: deadline, day: day)))
      }
      found.sort { ($0.mark.deadline, $0.number) < ($1.mark.deadline, $1.number) }
      marks += found.map(\.mark)
    }
    return DueMarks(marks, overdue: overdue)
  }
}
