// The confirmed copies as lines of a file, so that a client that starts again goes on with tails:
//   {"copies":1,"kinds":"category group …","user":…}
//   {"stream":"c:…","epoch":…,"seq":14,"tx":…,"objects":[…]}          one for each stream
//   {"end":2}                                                         how many
// Only a whole file counts, because the server has all of it. `kinds` are the kinds of objects and of ops that the
// writer knew. A copy by a program that knew other kinds does not count either: it lacks some objects, or what these
// ops did. For a new member of an object that comes without a new kind of op, `version` goes up.

package import Domain
package import Wire

/// The copies with which a client may begin instead of nothing.
package struct SavedCopies: Equatable, Sendable {
  package struct Copy: Equatable, Sendable {
    package let state: StreamState
    package let cursor: CursorPosition

    package init(state: StreamState, cursor: CursorPosition) {
      self.state = state
      self.cursor = cursor
    }
  }

  /// The user whose copies they are.
  package let user: UserID
  package let copies: [Copy]

  package init(user: UserID, copies: [Copy]) {
    self.user = user
    self.copies = copies
  }
}

package enum CopyCodec {
  package static func encode(_ saved: SavedCopies) -> [[UInt8]] {
    var head = JSONWriter()
    head.beginObject()
    head.key("copies")
    head.int(version)
    head.key("kinds")
    head.string(kinds)
    head.key("user")
    head.uuid(saved.user.uuid)
    head.endObject()
    var end = JSONWriter()
    end.beginObject()
    end.key("end")
    end.int(saved.copies.count)
    end.endObject()
    return [head.bytes] + saved.copies.map { encode($0) } + [end.bytes]
  }

  /// Reads the lines; nil unless every line is there and can be read.
  package static func decode(_ lines: [[UInt8]]) -> SavedCopies? {
    guard lines.count >= 2, let head = node(lines[0]), head["copies"]?.int64 == Int64(version),
      head["kinds"]?.string.map(knows) == true, let user = head["user"]?.uuid,
      node(lines[lines.count - 1])?["end"]?.int64 == Int64(lines.count - 2)
    else { return nil }
    var copies: [SavedCopies.Copy] = []
    for line in lines.dropFirst().dropLast() {
      guard let copy = node(line).flatMap({ copy($0) }) else { return nil }
      copies.append(copy)
    }
    return SavedCopies(user: UserID(user), copies: copies)
  }

  private static let version = 5
  private static let kinds = (ObjectKind.allCases.map(\.rawValue) + OpKind.allCases.map(\.rawValue))
    .sorted().joined(separator: " ")

  /// Answers whether these are the kinds that this version knows, in any order.
  private static func knows(_ words: String) -> Bool {
    words == kinds || words.split(separator: " ").sorted().joined(separator: " ") == kinds
  }

  /// The limits of a line. A list with all that it may hold, 10 000 posts with the longest notes, is 700 MiB; such a
  /// list comes from the server again.
  private static let limits = JSONLimits(bytesMax: 256 << 20)

  private static func node(_ line: [UInt8]) -> JSONNode? {
    do throws(JSONError) { return try JSONDocument(line, limits: limits).root } catch { return nil }
  }

  private static func encode(_ copy: SavedCopies.Copy) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 256 * (1 + copy.state.objects.count))
    writer.beginObject()
    writer.key("stream")
    writer.string(copy.state.stream.description)
    CursorCodec.writeMembers(copy.cursor, to: &writer)
    writer.key("objects")
    writer.beginArray()
    for key in copy.state.objects.keys.sorted() {
      if let object = copy.state.objects[key] { writer.raw(ObjectCodec.encode(object)) }
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private static func copy(_ node: JSONNode) -> SavedCopies.Copy? {
    guard let stream = node["stream"]?.string.flatMap({ StreamID($0) }),
      let cursor = CursorCodec.decode(node), let elements = node["objects"]?.elements
    else { return nil }
    var objects: [Object] = []
    do throws(WireError) {
      for element in elements { objects.append(try ObjectCodec.decode(element)) }
    } catch {
      return nil
    }
    return SavedCopies.Copy(
      state: StreamState(stream: stream, objects: objects), cursor: cursor)
  }
}
