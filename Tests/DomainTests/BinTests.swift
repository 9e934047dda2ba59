import Testing

@testable import Domain

extension Scene {
  /// Returns the house with post 1 of category 1 removed.
  fileprivate static func withBin() throws -> (Scene, BinnedPost) {
    var scene = Scene.house()
    scene.must(.removePost(1, 1, ifVersion: nil), by: "a")
    return (scene, try #require(scene.binned(1)))
  }

  /// Returns the post as the ledger has it, in the state or out of it.
  fileprivate func row(_ id: PostID) -> Post? {
    guard case .post(let post)? = rows[.category(1)]?[ObjectKey(kind: .post, id: id.uuid)] else {
      return nil
    }
    return post
  }

  fileprivate func binned(_ id: PostID) -> BinnedPost? {
    row(id)?.binned.map { BinnedPost(category: 1, post: id, since: $0) }
  }

  fileprivate mutating func pass() { now = Timestamp(milliseconds: now.milliseconds + 1_000) }

  /// Writes as the system does; nil when there is nothing to write.
  @discardableResult
  fileprivate mutating func purge(_ posts: [BinnedPost]) -> [Op]? {
    let draft = answered { world throws(Halt) in try Domain.purge(posts, in: 1, &world) }
    guard case .success(let draft?) = draft else { return nil }
    carryOut(Decision(drafts: [draft]), by: "a")
    return draft.ops
  }
}

@Suite("protocol §5.13: the bin") struct BinTests {
  @Test("A post that is gone keeps its number and who did what when, and no text")
  func left() throws {
    var (scene, binned) = try Scene.withBin()
    let before = try #require(scene.row(1))
    let counters = scene.category(1)?.counters
    scene.pass()
    #expect(scene.purge([binned]) == [.post(.purged(1, nil))])
    let after = try #require(scene.row(1))
    #expect(after.title == "" && after.notes == "" && after.steps.isEmpty && after.source == nil)
    #expect(after.number == before.number && after.addedBy == before.addedBy)
    #expect(after.createdAt == before.createdAt && after.removed == before.removed)
    #expect(after.version == before.version, "nobody has done it")
    #expect(after.isGone && after.binned == nil && after.purged != nil)
    #expect(scene.category(1)?.counters == counters)
    #expect(scene.purge([binned]) == nil, "once")
  }

  @Test("nothing brings it back, and its id is never given again")
  func gone() throws {
    var (scene, binned) = try Scene.withBin()
    let removal = try #require(scene.heads[.category(1)]?.seq)
    let last = try #require(scene.category(1)?.lastPost)
    scene.purge([binned])
    let commands: [Command] = [
      .restorePost(1, 1, ifVersion: nil), .removePost(1, 1, ifVersion: nil), .erasePost(1, 1),
      .editPost(1, 1, PostEdit(title: "New"), ifVersion: nil), .completePost(1, 1, ifVersion: 99),
      .post(.add(1, 1, title: "Again", notes: "")), .movePost(1, 1, to: 2, ifVersion: nil),
    ]
    for command in commands {
      #expect(scene.refusal(of: command, by: "a") == .goneForGood, "\(command)")
    }
    let target = UndoTarget(stream: .category(1), events: [removal], seen: nil)
    let undone = scene.run(.undo(target), by: "a")
    if case .success(let decision) = undone { #expect(!decision.changed) }
    #expect(scene.post(1, in: 1) == nil && scene.row(1)?.title == "")
    #expect(scene.must(.post(.add(1, 77, title: "New", notes: "")), by: "a").number == last + 1)
  }

  @Test("Nothing goes that was away since it was found")
  func away() throws {
    var (scene, binned) = try Scene.withBin()
    scene.pass()
    scene.must(.restorePost(1, 1, ifVersion: nil), by: "a")
    #expect(scene.purge([binned]) == nil)
    let restored = try #require(scene.heads[.category(1)]?.seq)
    scene.pass()
    // The old removal comes back, with its old stamp: the days count from now.
    let target = UndoTarget(stream: .category(1), events: [restored], seen: nil)
    scene.must(.undo(target), by: "a")
    let again = try #require(scene.binned(1))
    #expect(again.since == scene.now && binned.since < again.since)
    #expect(scene.row(1)?.removed?.at == binned.since)
    #expect(scene.purge([binned]) == nil)
    #expect(scene.purge([again]) == [.post(.purged(1, nil))])
  }

  @Test("A post that is open, completed or in another list does not go")
  func others() throws {
    var (scene, binned) = try Scene.withBin()
    scene.must(.post(.add(1, 7, title: "Open", notes: "")), by: "a")
    scene.must(.post(.add(1, 8, title: "Done", notes: "")), by: "a")
    scene.must(.completePost(1, 8, ifVersion: nil), by: "a")
    let times = [7, 8].map { number in
      BinnedPost(
        category: 1, post: PostID(number), since: scene.row(PostID(number))?.updatedAt ?? scene.now)
    }
    #expect(scene.purge(times) == nil)
    #expect(scene.purge(times + [binned]) == [.post(.purged(1, nil))])
  }

  @Test("Posts of a list that is archived or removed go too")
  func lists() throws {
    var (scene, binned) = try Scene.withBin()
    scene.must(.post(.add(1, 7, title: "Other", notes: "")), by: "a")
    scene.must(.removePost(1, 7, ifVersion: nil), by: "a")
    let other = try #require(scene.binned(7))
    scene.must(.category(.archive(1)), by: "a")
    #expect(scene.purge([binned]) == [.post(.purged(1, nil))])
    scene.must(.category(.unarchive(1)), by: "a")
    scene.must(.category(.remove(1)), by: "a")
    #expect(scene.purge([other]) == [.post(.purged(7, nil))])
    scene.must(.category(.restore(1)), by: "a")
    #expect(scene.refusal(of: .restorePost(1, 7, ifVersion: nil), by: "a") == .goneForGood)
  }

  @Test("The events before it have no text, and neither has the event itself")
  func past() throws {
    var post = Post(
      id: 1, number: 1, title: "Secret", notes: "Secret", addedBy: "a",
      createdAt: Timestamp(milliseconds: 1), updatedAt: Timestamp(milliseconds: 1), version: 1)
    post.removed = Stamp(at: Timestamp(milliseconds: 2), by: "a")
    let ops: [Op] = [.post(.added(post, Counters())), .post(.purged(1, nil))]
    #expect(ops.erasedSubjects == [.post(1)] && ops.erasedPosts == [1])
    #expect(
      ops.withoutErasedTexts == [
        .post(.added(post.withoutText, Counters())), .post(.purged(1, nil)),
      ])
    #expect(ops.withoutErasedTexts(before: [nil, .post(post)]) == [nil, .post(post.withoutText)])
    #expect(!Op.post(.purged(1, nil)).isUndone)
  }

  @Test("A post that came from elsewhere is not brought again")
  func imported() throws {
    var scene = Scene.house()
    let source = Source(name: "tracker", id: "#7", url: "https://tracker.example/7")
    let known = Source(name: "tracker", id: "#7")
    var new = NewPost(title: "Theirs")
    new.source = source
    scene.must(.post(.add(PostAddress(category: 1, post: 7), new)), by: "a")
    scene.must(.removePost(1, 7, ifVersion: nil), by: "a")
    #expect(scene.purge([try #require(scene.binned(7))]) == [.post(.purged(7, known))])
    #expect(scene.row(7)?.source == known && scene.row(7)?.title == "")
  }

  @Test("a copy that never had it is as before; one that has it in the state, too")
  func replicas() {
    let stream = StreamID.category(1)
    var state = StreamState(stream: stream)
    let before = state
    let event = Event(
      seq: 1, transaction: TransactionID(UUID(high: 1, low: 1)), at: Timestamp(milliseconds: 9),
      by: nil, key: nil, ops: [.post(.purged(1, nil))])
    #expect(state.apply(event).isEmpty && state == before)
  }

  @Test("a refusal shows what is in it to nobody who does not find it there")
  func unseen() throws {
    var (scene, _) = try Scene.withBin()
    scene.must(.post(.add(1, 5, title: "Five", notes: "")), by: "a")
    scene.must(.category(.edit(1, history: .joined)), by: "a")
    scene.pass()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 901)
    scene.pass()
    scene.must(.removePost(1, 5, ifVersion: nil), by: "a")
    func commands(_ id: PostID) -> [Command] {
      [
        .removePost(1, id, ifVersion: 9), .restorePost(1, id, ifVersion: 9),
        .editPost(1, id, PostEdit(title: "x"), ifVersion: 9),
      ]
    }
    let (old, new) = (try #require(scene.row(1)), try #require(scene.row(5)))
    for (command, other) in zip(commands(1), commands(5)) {
      #expect(scene.refusal(of: command, by: "b") == .notFound("post"))
      #expect(
        scene.refusal(of: .batch([other, command]), by: "b")
          == .inBatch(index: 0, .conflict(new)))
      #expect(scene.refusal(of: command, by: "a") == .conflict(old))
    }
    scene.must(.category(.edit(1, history: .all)), by: "a")
    for command in commands(1) { #expect(scene.refusal(of: command, by: "b") == .conflict(old)) }
  }

  /// Returns a list of history `joined` with an editor who came after the posts 3 (removed) and 4 (in another list
  /// now). Post 3 came from another program. Post 5 was removed since.
  private func withLatecomer() throws -> Scene {
    var scene = Scene.house()
    scene.must(.post(.add(1, 4, title: "Four", notes: "")), by: "a")
    scene.must(.post(.change(1, 4, .moveTo(3))), by: "a")
    let item = ImportedPost(
      source: SourceKey(name: "forge", id: "7"), url: nil, fields: PostEdit(title: "Seven"))
    scene.must(.post(.importUpsert(PostAddress(category: 1, post: 7), item)), by: "a")
    scene.must(.removePost(1, 7, ifVersion: nil), by: "a")
    scene.must(.post(.add(1, 5, title: "Five", notes: "")), by: "a")
    scene.must(.category(.edit(1, history: .joined)), by: "a")
    scene.pass()
    scene.admit("d", to: .category(1), as: .editor, by: "a", number: 901)
    scene.pass()
    scene.must(.removePost(1, 5, ifVersion: nil), by: "a")
    return scene
  }

  @Test("a post that somebody may not see answers every method as one that was never there")
  func unseenByAll() throws {
    let scene = try withLatecomer()
    let steps: [StepChange] = [.add(content: "x"), .edit(content: "x"), .remove, .complete]
    func all(_ id: PostID) -> [Command] {
      let changes: [PostChange] =
        [
          .edit(PostEdit(title: "x")), .complete, .completeForAll, .reopen, .remove, .restore,
          .erase, .tag(TagID(UUID(high: 1, low: 1))), .untag(TagID(UUID(high: 1, low: 1))),
          .assign("a"), .unassign("a"), .move(after: 1, before: nil), .moveTo(3),
          .copy(as: 99, to: 1), .claim(milliseconds: 9_000), .release,
        ] + steps.map { .step(StepID(UUID(high: 1, low: 9)), $0) }
      return changes.map { .post(.change(1, id, $0)) } + [
        .changePersonal(1, id, .watch(true)), .changePersonal(1, id, .note("x")),
        .post(.change(1, 1, .move(after: id, before: nil))),
        .post(.change(1, 1, .move(after: nil, before: id))),
      ]
    }
    for id in [3, 4, 7] as [PostID] {
      for (command, unknown) in zip(all(id), all(77)) {
        let refusal = scene.refusal(of: command, by: "d")
        #expect(refusal == scene.refusal(of: unknown, by: "d"), "\(command)")
        #expect(refusal != nil, "\(command)")
      }
      // Nothing more is told than that it is taken.
      #expect(
        scene.refusal(of: .post(.add(1, id, title: "x", notes: "")), by: "d")
          == .exists(field: "id"))
    }
    #expect(scene.refusal(of: .restorePost(1, 3, ifVersion: nil), by: "a") == nil)
    #expect(scene.refusal(of: .restorePost(1, 5, ifVersion: nil), by: "d") == nil)
    // Members of the list where it went know of it there.
    #expect(scene.refusal(of: .restorePost(1, 4, ifVersion: nil), by: "a") == .moved(to: 3))
  }

  @Test("an import of what its sender may not see adds it, as if it had never been there")
  func unseenImport() throws {
    var scene = try withLatecomer()
    let item = ImportedPost(
      source: SourceKey(name: "forge", id: "7"), url: nil, fields: PostEdit(title: "Seven"))
    let seen = scene.must(.post(.importUpsert(PostAddress(category: 1, post: 60), item)), by: "a")
    #expect(seen.imported == ImportOutcome(.removed))
    let unseen = scene.must(.post(.importUpsert(PostAddress(category: 1, post: 61), item)), by: "d")
    #expect(unseen.imported == ImportOutcome(.added))
    #expect(scene.post(61, in: 1)?.title == "Seven")
    // From now on it is about the one that is open, for all.
    #expect(
      scene.must(.post(.importUpsert(PostAddress(category: 1, post: 62), item)), by: "a").imported
        == ImportOutcome(.unchanged))
  }
}
