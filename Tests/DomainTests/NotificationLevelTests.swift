import Testing

@testable import Domain

private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

private func choose(
  _ about: StreamID, _ level: NotificationLevel, until: Timestamp? = nil
) -> LevelChange {
  .choose(LevelChoice(about: about, level: level, until: until))
}

private func levels(
  _ changes: [LevelChange], at now: Timestamp = time(0)
) -> NotificationLevels {
  var settings = PersonalSettings(user: "d")
  for it in changes { settings.levels.apply(it) }
  return NotificationLevels(settings, at: now)
}

private func news(
  _ kind: Notification.Kind, by: UserID? = "a", user: UserID? = nil,
  in stream: StreamID = .category(1), about: StreamID? = nil
) -> Notification {
  Notification(
    kind: kind, stream: stream, seq: 9, opIndex: 0, at: time(1), by: by, about: about ?? stream,
    post: 1, user: user)
}

extension Scene {
  /// Sets levels that no command has chosen.
  fileprivate mutating func put(_ levels: [LevelChoice], of user: UserID) {
    var edit = SettingsEdit()
    edit.levels = self.levels(user).changes(to: levels)
    let draft = Draft(stream: .user(user), ops: [.personal(.settings(edit))])
    carryOut(Decision(drafts: [draft]), by: user)
  }

  fileprivate func levels(_ user: UserID) -> [LevelChoice] {
    guard case .settings(let it) = states[.user(user)]?.object(.settings, user.uuid) else {
      return []
    }
    return it.levels
  }
}

private func edit(_ changes: LevelChange...) -> Command {
  var edit = SettingsEdit()
  edit.levels = changes
  return .account(.editSettings(edit))
}

@Suite("protocol §5.16: how much a person is told") struct NotificationLevelTests {
  @Test("Each kind is told by its reason", arguments: Notification.Kind.allCases)
  func kinds(_ kind: Notification.Kind) {
    let it = news(kind)
    func tells(_ level: NotificationLevel, concerns: Bool = false) -> Bool {
      NotificationLevelTests.tells(levels([choose(.category(1), level)]), it, concerns: concerns)
    }
    let asked: [Notification.Kind] = [
      .invited, .removedFrom, .roleChanged, .reminder, .planned, .snoozed, .digest,
      .webhookPaused,
    ]
    let directed: [Notification.Kind] = [
      .assigned, .dueSoon, .overdue, .reacted, .mentioned, .answered,
    ]
    let isDirected = (asked + directed).contains(kind)
    #expect(tells(.all))
    #expect(tells(.none, concerns: true) == asked.contains(kind))
    #expect(tells(.directed) == isDirected)
    let isForThem = [.runFailed, .runLost, .runRecovered, .commented].contains(kind)
    #expect(tells(.directed, concerns: true) == (isDirected || isForThem))
  }

  private static func tells(
    _ levels: NotificationLevels, _ it: Notification, in group: StreamID? = nil,
    members: Int = 2, concerns: Bool = false
  ) -> Bool {
    levels.tells(it, in: group, members: members) { _ in concerns }
  }

  @Test(
    "A place with eleven members tells only what is meant for a person, unless they choose")
  func sizes() {
    let (none, group) = (levels([]), StreamID.group(1))
    for it in [news(.added), news(.joined, in: group), news(.runOk)] {
      #expect(Self.tells(none, it, members: 10) && !Self.tells(none, it, members: 11))
    }
    for it in [news(.assigned), news(.overdue), news(.invited)] {
      #expect(Self.tells(none, it, members: 500))
    }
    #expect(!Self.tells(none, news(.runFailed), members: 11))
    #expect(Self.tells(none, news(.runFailed), members: 11, concerns: true))
    for about in [StreamID.category(1), group] {
      #expect(Self.tells(levels([choose(about, .all)]), news(.added), in: group, members: 11))
    }
    #expect(!Self.tells(levels([choose(.user("a"), .all)]), news(.added), members: 11))
    #expect(!Self.tells(levels([choose(.category(1), .none)]), news(.assigned), members: 10))
  }

  @Test("A list has its own level or that of its group")
  func groups() {
    let it = news(.added)
    let group: StreamID = .group(1)
    let muted = levels([choose(group, .none)])
    #expect(Self.tells(muted, it))
    #expect(!Self.tells(muted, it, in: group))
    #expect(!Self.tells(muted, news(.joined, in: group)))
    #expect(!Self.tells(muted, news(.categoryAdded, in: group, about: .category(7))))
    let apart = levels([choose(group, .none), choose(.category(1), .all)])
    #expect(Self.tells(apart, it, in: group))
    #expect(!Self.tells(apart, news(.added, in: .category(3)), in: group))
    #expect(Self.tells(muted.withAll(of: .category(1)), it, in: group))
    #expect(
      !Self.tells(muted.withAll(of: .category(1)), news(.added, in: .category(3)), in: group))
  }

  @Test("The lower one counts of the levels of a place and of who did it")
  func actors() {
    let quiet = levels([choose(.user("b"), .none), choose(.category(1), .directed)])
    #expect(!Self.tells(quiet, news(.assigned, by: "b")))
    #expect(Self.tells(quiet, news(.assigned, by: "a")))
    #expect(!Self.tells(quiet, news(.added, by: "b", in: .category(2))))
    #expect(Self.tells(quiet, news(.added, by: "a", in: .category(2))))
    // The server found the run of b to be lost.
    #expect(
      !Self.tells(quiet, news(.runLost, by: nil, user: "b", in: .category(2)), concerns: true))
    // Somebody else joined b's list: b did nothing.
    #expect(Self.tells(quiet, news(.joined, by: "a", user: "b", in: .category(2))))
  }

  @Test("A level holds until its time comes")
  func until() {
    let changes = [choose(.category(1), .none, until: time(100))]
    #expect(!Self.tells(levels(changes, at: time(99)), news(.added)))
    #expect(Self.tells(levels(changes, at: time(100)), news(.added)))
    #expect(levels(changes, at: time(100)).isEmpty)
  }

  @Test("Choices are set one by one, in order, and taken away again")
  func choosing() {
    var scene = Scene.house()
    scene.must(edit(choose(.user("b"), .none)), by: "a")
    scene.must(edit(choose(.category(1), .directed), choose(.group(1), .none)), by: "a")
    #expect(scene.levels("a").map(\.about) == [.category(1), .group(1), .user("b")])
    #expect(scene.changes(edit(choose(.group(1), .none)), by: "a") == false)
    scene.must(edit(choose(.group(1), .all)), by: "a")
    #expect(scene.levels("a").map(\.level) == [.directed, .all, .none])
    scene.must(edit(.clear(.group(1)), .clear(.category(9))), by: "a")
    #expect(scene.levels("a").map(\.about) == [.category(1), .user("b")])
    #expect(scene.levels("b") == [])
  }

  @Test("A choice whose time has come goes with the next change, and is none when it is made")
  func over() {
    var scene = Scene.house()
    let soon = time(scene.now.milliseconds + 1_000)
    scene.must(edit(choose(.category(1), .none, until: soon)), by: "a")
    #expect(scene.changes(edit(choose(.group(1), .none, until: scene.now)), by: "a") == false)
    scene.now = soon
    scene.must(edit(choose(.group(1), .none)), by: "a")
    #expect(scene.levels("a").map(\.about) == [.group(1)])
  }

  @Test("Only places of one's own and users who exist have a level")
  func refusals() {
    let scene = Scene.house()
    #expect(scene.refusal(of: edit(choose(.category(2), .none)), by: "a") == .notFound("category"))
    #expect(scene.refusal(of: edit(choose(.group(1), .none)), by: "c") == .notFound("group"))
    #expect(scene.refusal(of: edit(choose(.user("z"), .none)), by: "a") == .notFound("user"))
    #expect(
      scene.refusal(of: edit(choose(.user("a"), .none)), by: "a")
        == .invalid(field: "level.about", reason: "is yourself"))
    #expect(scene.refusal(of: edit(.clear(.category(2))), by: "a") == nil)
  }

  @Test("Room is made of what one has left, and then there is a limit")
  func limit() {
    var scene = Scene.house()
    scene.put(
      (1...Limits.levelsMax).map {
        LevelChoice(about: .category(CategoryID(100 + $0)), level: .none)
      }, of: "a")
    scene.must(edit(choose(.category(1), .none)), by: "a")
    #expect(scene.levels("a").map(\.about) == [.category(1)])
    scene.put(
      (1...UInt64(Limits.levelsMax)).map {
        LevelChoice(about: .user(UserID(UUID(high: 7, low: $0))), level: .none)
      }, of: "a")
    #expect(
      scene.refusal(of: edit(choose(.category(1), .none)), by: "a")
        == .quota(limit: "levels", max: Limits.levelsMax))
  }

  @Test(
    "An edit is the difference of two settings", arguments: [[0, 1], [1, 0], [2, 3], [3, 2]])
  func differences(pair: [Int]) {
    let all: [[LevelChange]] = [
      [], [choose(.category(1), .none)],
      [choose(.category(1), .none), choose(.user("b"), .directed)],
      [choose(.category(1), .none, until: time(7)), choose(.group(1), .all)],
    ]
    let both = pair.map { index in
      var settings = PersonalSettings(user: "a")
      for it in all[index] { settings.levels.apply(it) }
      return settings
    }
    var changed = both[0]
    changed.apply(SettingsEdit(from: both[0], to: both[1]))
    #expect(changed == both[1])
  }

  @Test("All unread notifications count, and those that are told are kept")
  func unread() {
    var tally = UnreadTally(viewer: Viewer(user: "d", joinedSeq: 3), mark: 0, keep: 2)
    let quiet = levels([choose(.user("b"), .none)])
    for seq in (4...Int64(9)).reversed() {
      let event = Event(
        seq: seq, transaction: TransactionID(UUID(high: 9, low: UInt64(seq))), at: time(1),
        by: seq.isMultiple(of: 2) ? "b" : "a", key: nil,
        ops: [.post(.added(openPost(Int(seq)), Counters()))])
      tally.add(event, in: .category(1)) { Self.tells(quiet, $0) }
    }
    #expect(tally.unread == Unread(count: 6, more: false))
    #expect(tally.notifications.map(\.seq) == [9, 7])
  }

  @Test("The newest that is told is kept of progress that repeats")
  func repeated() {
    var tally = UnreadTally(viewer: Viewer(user: "d", joinedSeq: 0), mark: 0, keep: 5)
    for (seq, by) in [(Int64(9), UserID("b")), (8, "a"), (7, "a")] {
      let event = Event(
        seq: seq, transaction: TransactionID(UUID(high: 9, low: UInt64(seq))), at: time(1),
        by: by, key: nil, ops: [.post(.marked(1, version: 2, .partCompleted("c")))])
      tally.add(event, in: .category(1)) { Self.tells(levels([choose(.user("b"), .none)]), $0) }
    }
    #expect(tally.unread == Unread(count: 1, more: false))
    #expect(tally.notifications.map(\.seq) == [8])
  }

  @Test("Behind many that are muted older events are not looked at any more")
  func bounded() {
    var tally = UnreadTally(viewer: Viewer(user: "d", joinedSeq: 0), mark: 0, keep: 5)
    var looked = 0
    for seq in (1...Int64(500)).reversed() where !tally.isFull {
      looked += 1
      let event = Event(
        seq: seq, transaction: TransactionID(UUID(high: 9, low: UInt64(seq))), at: time(1), by: "b",
        key: nil, ops: [.post(.added(openPost(Int(seq)), Counters()))])
      tally.add(event, in: .category(1)) { _ in false }
    }
    #expect(looked == Limits.unreadCountMax + 1 && tally.unread.more)
  }
}
