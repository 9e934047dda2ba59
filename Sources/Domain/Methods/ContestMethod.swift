/// The changes of one's own part in the contest of a post.
package enum ContestMethod: String, MethodFamily {
  case join = "contest.join"
  case withdraw = "contest.withdraw"
  case reach = "contest.reach"
  case claim = "contest.claim"
  case release = "contest.release"

  package var row: MethodRow {
    switch self {
    case .join, .reach, .claim: .change(from: .doer)
    case .withdraw, .release: .ending(from: .doer)
    }
  }
}
