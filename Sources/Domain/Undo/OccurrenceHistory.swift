// Knows the ends of posts' occurrences, from the events that say them. An undo that goes over several occurrences is
// judged by each: one that was left out comes back only by a member who may leave it out, whatever was completed after
// it. A redo ends them again one by one, so that each completion is told and counted for the person who did it.

/// The end of an occurrence.
struct Ending {
  let news: NextOccurrence
  /// The parts that were completed by then. Only a post that is for each has any.
  var parts: [PostPart]

  /// The person who completed the occurrence, and the time. Nil when it was left out.
  var completed: Stamp? {
    if case .completed(let stamp) = news.reason { stamp } else { nil }
  }
}

struct OccurrenceHistory {
  /// The ends by the number of the occurrence that came next, which no other has.
  private var endings: [PostID: [Int: Ending]] = [:]

  mutating func add(_ past: PastEvent) {
    for (op, object) in zip(past.event.ops, past.before.objects) {
      guard case .post(.occurred(let id, _, let news, _)) = op, case .post(let post)? = object
      else {
        continue
      }
      endings[id, default: [:]][news.next.number] = Ending(news: news, parts: post.parts)
    }
  }

  /// Returns the ends from one occurrence of a post to a later one, the first one first. Nil when some are not known,
  /// for example because the events are not kept any more.
  func endings(of post: PostID, from first: Occurrence, to last: Occurrence) -> [Ending]? {
    var found: [Ending] = []
    var number = last.number
    while number > first.number {
      guard let ending = endings[post]?[number], ending.news.over < number else { return nil }
      found.append(ending)
      number = ending.news.over
    }
    return number == first.number ? found.reversed() : nil
  }

  /// Returns the ends between a post and the goal of an undo, whichever is later. Empty where the post stays at its
  /// occurrence.
  func endings(between post: Post, and goal: Post) -> [Ending]? {
    guard let here = post.occurrence, let there = goal.occurrence else { return [] }
    return switch post.turns(to: goal) {
    case 0: []
    case 1: endings(of: post.id, from: here, to: there)
    default: endings(of: post.id, from: there, to: here)
    }
  }
}

extension Event {
  /// Whether it is an undo that may have brought back occurrences.
  var bringsOccurrencesBack: Bool {
    guard !undoes.isEmpty else { return false }
    return ops.contains { op in
      switch op {
      case .post(.reopened(let post, _)), .post(.restored(let post, _)): post.occurrence != nil
      default: false
      }
    }
  }
}
