import Domain
import Testing

@testable import Wire

@Suite("protocol §6 objects, §7 events, §9 pushes")
struct EventVectorTests {
  @Test("an object is read and written again byte for byte", arguments: Vectors.objects)
  func objects(_ vector: Vector) throws {
    let bytes = try vector.bytes("object")
    #expect(text(ObjectCodec.encode(try ObjectCodec.decode(bytes))) == text(bytes))
  }

  @Test("each vector is the typed object of the same name", arguments: Samples.objects)
  func typedObjects(_ sample: Sample<Object>) throws {
    let vector = try #require(Vectors.objects.first { $0.name == sample.name })
    #expect(try ObjectCodec.decode(vector.bytes("object")) == sample.value)
    #expect(text(ObjectCodec.encode(sample.value)) == text(try vector.bytes("object")))
  }

  @Test("an op is read and written again byte for byte", arguments: Vectors.ops)
  func ops(_ vector: Vector) throws {
    let op = try OpCodec.decode(try #require(vector.row["op"]))
    #expect(text(opBytes(op)) == text(try vector.bytes("op")))
  }

  @Test("each vector is the typed op of the same name", arguments: Samples.ops)
  func typedOps(_ sample: Sample<Op>) throws {
    let vector = try #require(Vectors.ops.first { $0.name == sample.name })
    #expect(try OpCodec.decode(try #require(vector.row["op"])) == sample.value)
    #expect(text(opBytes(sample.value)) == text(try vector.bytes("op")))
  }

  @Test("every op kind and every object kind has a typed sample")
  func sampled() {
    let kinds = Set(Samples.ops.compactMap { OpKind($0.value) })
    #expect(kinds == Set(OpKind.allCases))
    #expect(Set(Samples.objects.map(\.value.key.kind)) == Set(ObjectKind.allCases))
    for sample in Samples.ops {
      #expect(sample.name.hasPrefix(OpKind(sample.value)?.rawValue ?? "?"))
    }
  }

  @Test("The known part of a filter of a newer program is read")
  func newerFilter() throws {
    let text =
      """
      {"t":"filter","id":"\(ID.filter)","name":"x","where":{"claimed":"me","priority":"low"},"color":"red"}
      """
    let object = try ObjectCodec.decode(Array(text.utf8))
    #expect(object == .filter(Filter(id: ID.filter, name: "x", PostWhere(priority: .low))))
  }

  @Test("a log that does not say which occurrence is over counted them one by one")
  func olderOccurrence() throws {
    let vector = try #require(Vectors.ops.first { $0.name == "post.occurred" })
    let old = text(try vector.bytes("op")).replacing(#","over":2"#, with: "")
    let op = try OpCodec.decode(JSONDocument(Array(old.utf8)).root)
    guard case .post(.occurred(_, _, let news, _)) = op else {
      Issue.record("another op")
      return
    }
    #expect(!old.contains("over") && news.over == 2 && news.next.number == 3)
  }

  private func opBytes(_ op: Op) -> [UInt8] {
    var writer = JSONWriter()
    OpCodec.write(op, to: &writer)
    return writer.bytes
  }

  @Test("a push is read and written again byte for byte", arguments: Vectors.pushes)
  func pushes(_ vector: Vector) throws {
    let bytes = try vector.bytes("message")
    switch try ServerMessage(decoding: bytes) {
    case .events(let it):
      let bodies = it.events.map(EventCodec.encode)
      #expect(it.events.map(\.seq) == (0..<it.events.count).map { it.from + Int64($0) })
      #expect(
        text(Push.events(it.stream, epoch: it.epoch, from: it.from, bodies: bodies))
          == text(bytes))
    case .snapshot(let it):
      let objects = try #require(vector.row["message"]?["params"]?["objects"]?.elements)
      let written = it.objects.map { text(ObjectCodec.encode($0)) }
      #expect(written == objects.map { text(Array($0.rawBytes)) })
    case .objects(let it): #expect(text(try written(it, vector)) == text(bytes))
    case .live(let stream, let epoch, let seq):
      #expect(text(Push.live(stream, epoch: epoch, seq: seq)) == text(bytes))
    case .gone(let stream): #expect(text(Push.gone(stream)) == text(bytes))
    case .ephemeral(let set): #expect(text(Push.ephemeral(set)) == text(bytes))
    case .drain(let after, let within):
      let push = Push.drain(afterMilliseconds: after, withinMilliseconds: within)
      #expect(text(push) == text(bytes))
    case .result, .error, .unknown: Issue.record("is no push")
    }
  }

  /// Writes a push of objects again. One without a cursor is the first of two.
  private func written(_ it: ObjectsPush, _ vector: Vector) throws -> [UInt8] {
    let epoch = Epoch(
      try #require(vector.row["message"]?["params"]?["epoch"]?.string))
    let bodies = it.objects.map(ObjectCodec.encode)
    let more: [[UInt8]] = it.cursor == nil ? [Array("{}".utf8)] : []
    let pushes = Push.objects(
      it.stream, epoch: epoch, bodies: bodies + more, gone: it.gone, seq: it.cursor?.seq ?? 1,
      transaction: it.cursor?.transaction ?? TransactionID(UUID(high: 0, low: 1)),
      bytesMax: it.cursor == nil ? 1 : Limits.pageBytesMax)
    #expect(pushes.count == 1 + more.count)
    return pushes[0]
  }

  @Test("Pushes of objects are no larger than a page, and the last one alone has the cursor")
  func objectPages() throws {
    let vector = try #require(Vectors.pushes.first { $0.name == "sync.objects" })
    let objects = try #require(vector.row["message"]?["params"]?["objects"]?.elements)
    let object = try #require(objects.map { Array($0.rawBytes) }.first)
    let bodies = Array(repeating: object, count: 700)
    let gone = (1...3_000).map { GoneObject.id(.post, UUID(high: 4, low: $0)) }
    let stream = StreamID.category(CategoryID(UUID(high: 2, low: 1)))
    let pushes = Push.objects(
      stream, epoch: Epoch("e"), bodies: bodies, gone: gone, seq: 7,
      transaction: TransactionID(UUID(high: 3, low: 7)))
    var (count, names): (Int, [GoneObject]) = (0, [])
    for (index, push) in pushes.enumerated() {
      #expect(push.count <= Limits.pageBytesMax + 384)
      guard case .objects(let it) = try ServerMessage(decoding: push) else {
        Issue.record("another message")
        return
      }
      #expect((it.cursor?.seq == 7) == (index + 1 == pushes.count))
      count += it.objects.count
      names += it.gone
    }
    #expect(count == 700 && names == gone && pushes.count > 4)
  }

  @Test("pages of a snapshot hold every object once and are no larger than asked")
  func pages() throws {
    let rows = Vectors.pushes.filter { $0.name.hasPrefix("sync.snapshot") }
    let pages = try rows.map { try $0.bytes("message") }
    var bodies: [[UInt8]] = []
    var head: SnapshotPage?
    for page in pages {
      guard case .snapshot(let it) = try ServerMessage(decoding: page) else { continue }
      bodies += it.objects.map(ObjectCodec.encode)
      head = it
    }
    let it = try #require(head)
    let limit = bodies[0].count + bodies[1].count + 2
    let written = Push.snapshot(
      it.stream, epoch: it.epoch, seq: it.seq, transaction: it.transaction, bodies: bodies,
      bytesMax: limit)
    #expect(written.map(text) == pages.map(text))
    let single = Push.snapshot(
      it.stream, epoch: it.epoch, seq: it.seq, transaction: it.transaction, bodies: bodies,
      bytesMax: 1)
    #expect(single.count == bodies.count)
    let empty = Push.snapshot(
      it.stream, epoch: it.epoch, seq: it.seq, transaction: it.transaction, bodies: [])
    #expect(empty.count == 1)
  }

  @Test("Parts that are newer than this version do no harm", arguments: Vectors.newer)
  func newer(_ vector: Vector) throws {
    let kinds = try #require(vector.row["kinds"]?.elements).map { $0.string }
    switch try ServerMessage(decoding: vector.bytes("message")) {
    case .events(let it):
      let found = it.events.flatMap(\.ops).map { op in
        if case .unknown(let kind, _) = op { kind } else { OpKind(op)?.rawValue }
      }
      #expect(found == kinds)
    case .snapshot(let it): #expect(it.objects.map(\.key.kind.rawValue) == kinds)
    case .unknown(let method): #expect(method == vector.row["push"]?.string)
    case .result, .error, .objects, .live, .gone, .ephemeral, .drain:
      Issue.record("is another message")
    }
  }

  @Test("an event that says what is newer says it still when it is written again")
  func newerWrittenAgain() throws {
    let id = "01890a5d-ac96-774b-bcce-000000000501"
    for op in [
      #"{"t":"reminder.fired","id":"\#(id)","f":{"kind":"weather","at":5,"why":["rain"]}}"#,
      #"{"t":"post.painted", "id":"\#(id)","v":3,"f":{"color":"\u0041"},"counters":{}}"#,
      #"{"t":"moon.rose"}"#,
    ] {
      let body = #"{"tx":"\#(id)","at":1,"ops":[\#(op),{"t":"category.restored"}]}"#
      let event = try EventCodec.decode(Array(body.utf8), seq: 4)
      #expect(text(EventCodec.encode(event)) == body)
      guard case .unknown = event.ops.first else {
        Issue.record("\(op) is known")
        continue
      }
    }
  }

  @Test("The state before an event is kept and read, null where there was nothing")
  func before() throws {
    let objects: [Object?] = Samples.objects.map(\.value) + [nil]
    for (crossing, lines) in [([], []), ([ID.post], []), ([ID.post], [3, 14])]
      as [([PostID], [Int64])]
    {
      let before = Before(objects: objects, crossing: crossing, droppedLines: lines)
      #expect(try ObjectCodec.decode(before: ObjectCodec.encode(before)) == before)
    }
    #expect(text(ObjectCodec.encode(Before(objects: [nil]))) == "[null]")
    #expect(
      text(ObjectCodec.encode(Before(objects: [nil], crossing: [ID.post])))
        == "[null,\"\(ID.post)\"]")
    #expect(text(ObjectCodec.encode(Before(objects: [nil], droppedLines: [3]))) == "[null,3]")
    let dropped = Before(objects: [nil], droppedLines: [3], droppedComments: [ID.post])
    #expect(text(ObjectCodec.encode(dropped)) == "[null,3,{\"comments\":[\"\(ID.post)\"]}]")
    #expect(try ObjectCodec.decode(before: ObjectCodec.encode(dropped)) == dropped)
    for damaged in ["{}", "[1.5]", "[\"x\"]", "[true]"] {
      #expect(throws: WireError.self) { try ObjectCodec.decode(before: Array(damaged.utf8)) }
    }
  }
}
