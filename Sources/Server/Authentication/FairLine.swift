// A line in which everybody has their turn, however many others wait and however often they come.
//
// Each job waits for a member of a group: an address of a network, or a device of an account. Groups take turns, and in
// a group its members do. Turns are counted as in start-time fair queueing (Goyal, Vin, Cheng 1996): a member who has
// waiting jobs all the time gets one turn in each round, and one who was away is owed nothing. When several may have
// the turn, the one who had fewer turns goes first, so a newcomer does not wait for a whole round of others.
//
// When the line is too long, the newest job gives way of the member who has most waiting, in the group that has most
// waiting. So a newcomer comes in as long as anybody has two jobs there.

/// The owner of a job, for the order in a line.
struct LinePlace: Hashable {
  let group: String
  let member: String
}

/// The waiting jobs, a few hundred at most. Each look goes through all of them, which is nothing beside a password
/// hash.
struct FairLine {
  private var jobs: [WaitingJob] = []
  private var groups = FairTurns()
  private var members = FairTurns()

  var count: Int { jobs.count }

  /// The jobs in the order in which they came.
  var waiting: [WaitingJob] { jobs }

  mutating func add(_ job: WaitingJob) { jobs.append(job) }

  /// Takes out the job whose turn it is, among those that are ready. Nil when none is.
  mutating func next(where isReady: (WaitingJob) -> Bool) -> WaitingJob? {
    let ready = jobs.indices.filter { isReady(jobs[$0]) }.map { (rank(jobs[$0]), $0) }
    guard let first = ready.min(by: { $0 < $1 }) else { return nil }
    let job = jobs.remove(at: first.1)
    groups.note(job.place.group)
    members.note(job.place.member)
    return job
  }

  /// Takes out the job that gives way, among those that are meant. Nil when there are none.
  mutating func giveWay(where isMeant: (WaitingJob) -> Bool) -> WaitingJob? {
    let meant = jobs.indices.filter { isMeant(jobs[$0]) }
    var inGroup: [String: Int] = [:]
    var ofMember: [LinePlace: Int] = [:]
    for index in meant {
      inGroup[jobs[index].place.group, default: 0] += 1
      ofMember[jobs[index].place, default: 0] += 1
    }
    let weights = meant.map { index in
      let place = jobs[index].place
      return Weight(
        inGroup: inGroup[place.group] ?? 0, ofMember: ofMember[place] ?? 0,
        rank: rank(jobs[index]), index: index)
    }
    return weights.max().map { jobs.remove(at: $0.index) }
  }

  /// Takes out all jobs that are meant, in the order in which they came.
  mutating func take(where isMeant: (WaitingJob) -> Bool) -> [WaitingJob] {
    let taken = jobs.filter(isMeant)
    jobs.removeAll(where: isMeant)
    return taken
  }

  private func rank(_ job: WaitingJob) -> Rank {
    Rank(group: groups.rank(of: job.place.group), member: members.rank(of: job.place.member))
  }

  /// The rank of a job; the lowest goes first.
  private struct Rank: Comparable {
    let group: FairTurns.Rank
    let member: FairTurns.Rank

    static func < (left: Rank, right: Rank) -> Bool {
      (left.group, left.member) < (right.group, right.member)
    }
  }

  /// The weight of a job; the highest gives way.
  private struct Weight: Comparable {
    let inGroup: Int
    let ofMember: Int
    let rank: Rank
    let index: Int

    static func < (left: Weight, right: Weight) -> Bool {
      (left.inGroup, left.ofMember, left.rank, left.index)
        < (right.inGroup, right.ofMember, right.rank, right.index)
    }
  }
}

/// The turns that each name has had.
struct FairTurns {
  /// The round in which the last turn began.
  private var round = 0
  /// The round in which a name may have its next turn.
  private var next: [String: Int] = [:]

  /// The number of names at which those that are owed nothing are dropped.
  private static let namesMax = 4_096

  struct Rank: Comparable {
    let round: Int
    /// Names that had a turn not long ago come after those that had none.
    let next: Int

    static func < (left: Rank, right: Rank) -> Bool {
      (left.round, left.next) < (right.round, right.next)
    }
  }

  func rank(of name: String) -> Rank {
    let known = next[name] ?? 0
    return Rank(round: max(round, known), next: known)
  }

  mutating func note(_ name: String) {
    let turn = rank(of: name).round
    round = turn
    if next.count >= FairTurns.namesMax { next = next.filter { $0.value > turn } }
    if next.count >= FairTurns.namesMax { next = [:] }
    next[name] = turn + 1
  }
}
