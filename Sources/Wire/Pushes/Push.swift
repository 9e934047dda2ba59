package import Domain

/// Every push by its method (protocol §9): a message that the server sends without being asked.
package enum PushMethod: String, CaseIterable, Sendable {
  case events = "sync.events"
  case objects = "sync.objects"
  case snapshot = "sync.snapshot"
  case live = "sync.live"
  case gone = "sync.gone"
  case ephemeral
  case drain = "server.drain"
}

/// Pushes as bytes (protocol §9): `{"jsonrpc":"2.0","method":…,"params":…}`.
///
/// Events and objects are stored bytes, copied and never encoded again.
package enum Push {
  /// Returns a push of the events `from`, `from` + 1, … of a stream. `bodies` are as `EventCodec` wrote them, at least
  /// one.
  package static func events(
    _ stream: StreamID, epoch: Epoch, from: Int64, bodies: [[UInt8]]
  ) -> [UInt8] {
    precondition(!bodies.isEmpty, "a push of no events says nothing")
    let capacity = 192 + bodies.reduce(0) { $0 + $1.count + 1 }
    return envelope(.events, capacity: capacity) { writer in
      writer.member("stream", stream)
      writer.member("epoch", epoch.text)
      writer.member("from", from)
      writer.member("events", raw: bodies)
    }
  }

  /// Returns a whole snapshot as pages of at most about `bytesMax` bytes. A larger object has a page of its own.
  /// `bodies` are as `ObjectCodec` wrote them. The snapshot is the effect of the events 1 … `seq`; the last of these
  /// has `transaction`.
  package static func snapshot(
    _ stream: StreamID, epoch: Epoch, seq: Int64, transaction: TransactionID, bodies: [[UInt8]],
    bytesMax: Int = Limits.pageBytesMax
  ) -> [[UInt8]] {
    let ranges = pages(ofBytes: bodies.map(\.count), bytesMax: bytesMax)
    return ranges.enumerated().map { index, range in
      snapshotPage(
        stream, epoch: epoch, seq: seq, transaction: transaction, page: index, of: ranges.count,
        bodies: Array(bodies[range]))
    }
  }

  /// Returns one page of a snapshot. Pages count from 0.
  package static func snapshotPage(
    _ stream: StreamID, epoch: Epoch, seq: Int64, transaction: TransactionID, page: Int,
    of pages: Int, bodies: [[UInt8]]
  ) -> [UInt8] {
    let capacity = 256 + bodies.reduce(0) { $0 + $1.count + 1 }
    return envelope(.snapshot, capacity: capacity) { writer in
      writer.member("stream", stream)
      writer.member("epoch", epoch.text)
      writer.member("seq", seq)
      writer.member("tx", transaction.uuid)
      writer.member("page", page + 1)
      writer.member("pages", pages)
      writer.member("objects", raw: bodies)
    }
  }

  /// Returns the objects that changed up to the event `seq`, as pushes of at most about `bytesMax` bytes, the gone ones
  /// last. A larger object has a push of its own. The last push has the cursor; it is to be applied together with those
  /// before it.
  package static func objects(
    _ stream: StreamID, epoch: Epoch, bodies: [[UInt8]], gone: [GoneObject], seq: Int64,
    transaction: TransactionID, bytesMax: Int = Limits.pageBytesMax
  ) -> [[UInt8]] {
    let sizes = bodies.map(\.count) + gone.map { _ in GoneObject.bytesMax }
    let ranges = pages(ofBytes: sizes, bytesMax: bytesMax)
    return ranges.enumerated().map { index, range in
      let objects = Array(bodies[range.clamped(to: bodies.indices)])
      let names = range.dropFirst(objects.count).map { gone[$0 - bodies.count] }
      let capacity = 384 + sizes[range].reduce(0, +) + range.count
      return envelope(.objects, capacity: capacity) { writer in
        writer.member("stream", stream)
        writer.member("epoch", epoch.text)
        writer.member("objects", raw: objects)
        writer.key("gone")
        writer.array(names) { name, writer in name.write(to: &writer) }
        guard index + 1 == ranges.count else { return }
        writer.key("cursor")
        writer.beginObject()
        writer.member("epoch", epoch.text)
        writer.member("seq", seq)
        writer.member("tx", transaction.uuid)
        writer.endObject()
      }
    }
  }

  /// Returns the push which says that everything up to `seq` was sent. From here on events come as they happen.
  package static func live(_ stream: StreamID, epoch: Epoch, seq: Int64) -> [UInt8] {
    envelope(.live, capacity: 192) { writer in
      writer.member("stream", stream)
      writer.member("epoch", epoch.text)
      writer.member("seq", seq)
    }
  }

  /// Returns the push which says that the user is no longer a member. The client drops its copy.
  package static func gone(_ stream: StreamID) -> [UInt8] {
    envelope(.gone, capacity: 128) { $0.member("stream", stream) }
  }

  /// Returns a push of things that hold for a moment.
  package static func ephemeral(_ set: EphemeralSet) -> [UInt8] {
    let capacity = 192 + (set.entries?.count ?? 0) * 128
    return envelope(.ephemeral, capacity: capacity) { set.writeFields(to: &$0) }
  }

  /// Returns the push which says that the server stops soon. Clients come back after `after` plus a random part of
  /// `within`, in milliseconds.
  package static func drain(afterMilliseconds after: Int, withinMilliseconds within: Int) -> [UInt8]
  {
    envelope(.drain, capacity: 128) { writer in
      writer.member("afterMs", after)
      writer.member("withinMs", within)
    }
  }

  /// Returns which objects, given by their bytes, share a page of a snapshot. There is at least one page, so that an
  /// empty stream also replaces a copy.
  package static func pages(
    ofBytes sizes: [Int], bytesMax: Int = Limits.pageBytesMax
  ) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    var bytes = 0
    for (index, size) in sizes.enumerated() {
      if index > start, bytes + size + 1 > bytesMax {
        ranges.append(start..<index)
        (start, bytes) = (index, 0)
      }
      bytes += size + 1
    }
    ranges.append(start..<sizes.count)
    return ranges
  }

  private static func envelope(
    _ method: PushMethod, capacity: Int, params: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: capacity)
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    writer.member("method", method.rawValue)
    writer.key("params")
    writer.beginObject()
    params(&writer)
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }
}
