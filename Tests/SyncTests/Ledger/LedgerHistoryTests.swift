import Domain
import TestRandom
import Testing

@testable import Sync

/// The same seeds in every run: a seed that passed once passes again. A failure names its seed.
private let seeds: [UInt64] = Array(1...10) + [12]

@Suite("Random histories") struct LedgerHistoryTests {
  @Test("keep every promise about streams and state", arguments: seeds)
  func promises(seed: UInt64) {
    var history = RandomHistory(seed: seed, cacheBytesMax: seed % 2 == 0 ? 0 : 1 << 16)
    for _ in 0..<462 { history.runBatch() }
    let bench = history.bench
    #expect(history.answered.count > 50, "seed \(seed) decides too little")
    for (stream, records) in bench.content.events.sorted(by: { $0.key < $1.key }) {
      #expect(records.map(\.seq) == Array(1...Int64(records.count)), "seed \(seed) \(stream)")
      #expect(records.map(\.at) == records.map(\.at).sorted(), "seed \(seed) \(stream)")
      #expect(Set(records.map(\.epoch)).count == 1, "seed \(seed) \(stream)")
      let events = bench.events(of: stream)
      let end = StreamState(stream: stream, objects: bench.snapshot(of: stream))
      #expect(StreamState(stream: stream).after(events) == end, "seed \(seed) \(stream)")
      for it in history.snapshots where it.stream == stream {
        let start = StreamState(stream: stream, objects: it.objects)
        let later = events.filter { $0.seq > it.seq }
        #expect(start.after(later) == end, "seed \(seed) \(stream) from \(it.seq)")
      }
    }
    expectCounters(in: bench, seed)
    expectDeadlines(in: bench, seed)
    #expect(expectClaims(in: bench, seed) > 0, "seed \(seed) ends no claim")
    expectMemberships(in: bench, seed)
    expectErased(in: bench, seed)
    expectPurged(in: bench, seed)
  }

  /// Expects that no event up to a post's erasing has a text of it.
  private func expectErased(in bench: LedgerBench, _ seed: UInt64) {
    var erased = 0
    for stream in bench.content.events.keys.sorted() {
      let events = bench.events(of: stream)
      for event in events {
        for post in event.ops.erasedPosts {
          erased += 1
          let eraser = TextEraser(post)
          for earlier in events.prefix(Int(event.seq)) {
            #expect(eraser.event(earlier) == earlier, "seed \(seed) \(stream) \(earlier.seq)")
          }
        }
      }
    }
    #expect(erased > 0, "seed \(seed) erases nothing")
  }

  /// Expects that a purged post was in the bin, goes once and by nobody, and does not change any more.
  private func expectPurged(in bench: LedgerBench, _ seed: UInt64) {
    var gone = 0
    for stream in bench.content.events.keys.sorted() {
      var binned: [ObjectKey: Timestamp] = [:]
      var purged: Set<ObjectKey> = []
      for event in bench.events(of: stream) {
        for op in event.ops {
          guard let key = op.touches(in: stream).first, key.kind == .post else { continue }
          #expect(!purged.contains(key), "seed \(seed) \(stream) \(event.seq)")
          switch op {
          case .post(.removed): binned[key] = event.at
          case .post(.erased): if binned[key] != nil { binned[key] = event.at }
          case .post(.purged):
            gone += 1
            purged.insert(key)
            let since = binned[key].map { $0.milliseconds + 300 <= event.at.milliseconds }
            #expect(since == true && event.by == nil && event.key == nil, "seed \(seed)")
          default: binned[key] = nil
          }
        }
      }
    }
    #expect(gone > 0, "seed \(seed) purges nothing")
  }

  /// Expects that each deadline is told once, and that the rows are those of the posts.
  private func expectDeadlines(in bench: LedgerBench, _ seed: UInt64) {
    var bench = bench
    for stream in bench.content.events.keys.sorted() {
      var seen: Set<DuePost> = []
      for event in bench.events(of: stream) {
        for case .post(.overdue(let post, .became(let deadline), _)) in event.ops {
          let one = DuePost(category: CategoryID(stream.uuid), post: post, deadline: deadline)
          #expect(seen.insert(one).inserted, "seed \(seed): told twice \(one)")
          #expect(event.by == nil && event.at >= deadline, "seed \(seed)")
        }
      }
    }
    bench.checkDues()
    #expect(bench.content.dues.filter { !$0.value.isEmpty } == bench.expectedDues, "seed \(seed)")
    bench.tellOverdue()
    #expect(bench.untoldDues(through: bench.now) == [], "seed \(seed)")
  }

  /// Expects that nobody gets a post that another has, that a claim ends once, and that none is left whose time is
  /// over. Returns how many ended.
  private func expectClaims(in bench: LedgerBench, _ seed: UInt64) -> Int {
    var bench = bench
    // By then the longest claim is over.
    bench.now = Timestamp(milliseconds: bench.now.milliseconds + 86_400_000)
    bench.endClaims()
    var ended = 0
    for stream in bench.content.events.keys.sorted() {
      var state = StreamState(stream: stream)
      for event in bench.events(of: stream) {
        for (index, op) in event.ops.enumerated() {
          if case .post(.claim(let id, let op)) = op,
            case .post(let post) = state.object(.post, id.uuid)
          {
            let held = post.claim.flatMap { claim -> PostClaim? in
              guard case .member(let member) = state.object(.member, claim.user.uuid) else {
                return nil
              }
              return member.holds(claim) && event.at < claim.until ? claim : nil
            }
            switch op {
            case .taken(let user, let until, version: _):
              #expect(held == nil || held?.user == user, "seed \(seed) \(stream) \(event.seq)")
              #expect(event.by == user && event.at < until && post.completed == nil)
            case .released: #expect(held != nil, "seed \(seed) \(stream) \(event.seq)")
            case .ended:
              ended += 1
              #expect(post.claim.map { $0.until <= event.at } == true && event.by == nil)
            }
          }
          _ = state.apply(event, ops: index..<index + 1)
        }
      }
      for object in bench.objects(.post, in: stream) {
        guard case .post(let post) = object, let claim = post.claim else { continue }
        #expect(post.completed == nil && post.removed == nil && bench.now < claim.until)
      }
    }
    return ended
  }

  /// Expects that each link shows the list as to a viewer, and was made by somebody who may make one. Returns how many
  /// there are.
  private func expectLinks(
    of stream: StreamID, made members: [Member], in bench: LedgerBench, _ seed: UInt64
  ) -> Int {
    var count = 0
    for case .link(let link) in bench.objects(.link, in: stream) {
      count += 1
      let access = LedgerBench.Access(role: .viewer, joinedSeq: link.seq)
      #expect(bench.content.access[stream]?[link.guest] == access, "seed \(seed) \(stream)")
      let role = members.first { $0.id == link.made.by }?.role
      #expect(role.map { Permission.allows($0, .link(.make)) } == true, "seed \(seed) \(stream)")
    }
    return count
  }

  private func expectCounters(in bench: LedgerBench, _ seed: UInt64) {
    for stream in bench.content.rows.keys {
      guard case .category(let category)? = bench.objects(.category, in: stream).first else {
        continue
      }
      let posts = bench.objects(.post, in: stream).compactMap { object -> Post? in
        guard case .post(let post) = object else { return nil }
        return post
      }
      let present = posts.filter { $0.removed == nil }
      let counted = Counters(
        open: present.count { $0.completed == nil }, done: present.count { $0.completed != nil },
        overdue: present.count { $0.completed == nil && $0.overdue != nil })
      #expect(category.counters == counted, "seed \(seed) \(stream)")
      #expect(
        posts.map(\.number).sorted()
          == Array(1...max(1, posts.count)).prefix(posts.count).map(\.self))
      #expect(category.lastPost == posts.count, "seed \(seed) \(stream)")
    }
  }

  private func expectMemberships(in bench: LedgerBench, _ seed: UInt64) {
    var fromPlaces: [UserID: [StreamID: Role]] = [:]
    for stream in bench.content.rows.keys where stream.letter != UInt8(ascii: "u") {
      let members = members(of: stream, in: bench)
      // The last member of a removed place may go.
      let isRemoved = bench.objects(stream.headKey.kind, in: stream).contains { object in
        switch object {
        case .category(let it): it.removed != nil
        case .group(let it): it.removed != nil
        default: false
        }
      }
      let hasOwner = members.contains { $0.role == .owner }
      #expect(hasOwner || isRemoved, "seed \(seed) \(stream) has no owner")
      for member in members {
        guard let role = member.role else { continue }
        fromPlaces[member.id, default: [:]][stream] = role
        let access = LedgerBench.Access(role: role, joinedSeq: member.joinedSeq)
        #expect(bench.content.access[stream]?[member.id] == access, "seed \(seed) \(stream)")
      }
      let present = members.filter { $0.role != nil }
      let links = expectLinks(of: stream, made: present, in: bench, seed)
      #expect(
        bench.content.access[stream]?.count == present.count + links, "seed \(seed) \(stream)")
      expectGroupGrants(from: stream, members, in: bench, seed)
    }
    for user in RandomHistory.users {
      var own: [StreamID: Role] = [:]
      for object in bench.objects(.membership, in: .user(user)) {
        guard case .membership(let it) = object else { continue }
        own[it.stream] = it.role
      }
      #expect(own == fromPlaces[user, default: [:]], "seed \(seed) \(user)")
      #expect(bench.content.access[.user(user)]?.count == 1)
      for object in bench.objects(.invitation, in: .user(user)) {
        guard case .invitation(let it) = object else { continue }
        #expect(bench.objects(.invitation, in: it.stream).contains(object), "seed \(seed)")
      }
    }
  }

  /// Expects that every member of a group has exactly the group's role in each of its categories.
  private func expectGroupGrants(
    from stream: StreamID, _ members: [Member], in bench: LedgerBench, _ seed: UInt64
  ) {
    for object in bench.objects(.groupCategory, in: stream) {
      guard case .groupCategory(let it) = object else { continue }
      let inside = self.members(of: .category(it.id), in: bench)
      for person in RandomHistory.users {
        let given = members.first { $0.id == person }?.role
        let held = inside.first { $0.id == person }?.grants.viaGroup
        #expect(given == held, "seed \(seed) \(stream) \(it.id) \(person)")
      }
    }
  }

  private func members(of stream: StreamID, in bench: LedgerBench) -> [Member] {
    bench.objects(.member, in: stream).compactMap {
      guard case .member(let it) = $0 else { return nil }
      return it
    }
  }

  @Test("answer every repeat as the first time and change nothing by it", arguments: seeds)
  func repeats(seed: UInt64) {
    var history = RandomHistory(seed: seed, cacheBytesMax: 1 << 16)
    for _ in 0..<150 { history.runBatch() }
    let before = history.bench.content
    var order = SeededRandom(seed: seed)
    for (submission, first) in history.answered.shuffled(using: &order) {
      let (result, repeated) = history.bench.settle(submission)
      #expect(repeated && result == .success(first), "seed \(seed) \(submission.command)")
    }
    #expect(history.bench.ledger.staged.isEmpty)
    history.bench.commit()
    #expect(history.bench.content == before)
  }

  @Test("are the same whatever is kept in memory and however batches are cut", arguments: seeds)
  func cacheDoesNotMatter(seed: UInt64) {
    var small = RandomHistory(seed: seed, cacheBytesMax: 0)
    var large = RandomHistory(seed: seed, cacheBytesMax: 1 << 24)
    for _ in 0..<100 {
      small.runBatch()
      large.runBatch()
    }
    #expect(small.bench.content == large.bench.content, "seed \(seed)")
  }
}

extension StreamState {
  /// Returns the state after the events, for P6: apply(snapshot(n), events n+1…m) == snapshot(m).
  fileprivate func after(_ events: [Event]) -> StreamState {
    var state = self
    for event in events { _ = state.apply(event) }
    return state
  }
}
