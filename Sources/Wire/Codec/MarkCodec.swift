package import Domain

// Ops that put something on a post or take it off, and those about its deadline (protocol §7): their words, and what
// each says.

extension PostMark {
  package enum Kind: String, CaseIterable, Sendable {
    case tagged = "post.tagged"
    case untagged = "post.untagged"
    case assigned = "post.assigned"
    case unassigned = "post.unassigned"
    case submitted = "post.submitted"
    case returned = "post.returned"
    case partCompleted = "post.part_completed"
    case partReopened = "post.part_reopened"
  }

  package var kind: Kind {
    switch self {
    case .tagged: .tagged
    case .untagged: .untagged
    case .assigned: .assigned
    case .unassigned: .unassigned
    case .submitted: .submitted
    case .returned: .returned
    case .partCompleted: .partCompleted
    case .partReopened: .partReopened
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    switch kind {
    case .tagged: self = .tagged(TagID(try op.f().uuid("tag")))
    case .untagged: self = .untagged(TagID(try op.f().uuid("tag")))
    case .assigned: self = .assigned(UserID(try op.f().uuid("user")))
    case .unassigned: self = .unassigned(UserID(try op.f().uuid("user")))
    case .submitted: self = .submitted(try op.f().stamp("submitted"))
    case .returned: self = .returned
    case .partCompleted: self = .partCompleted(UserID(try op.f().uuid("user")))
    case .partReopened: self = .partReopened(UserID(try op.f().uuid("user")))
    }
  }

  func write(of post: PostID, version: Int, to writer: inout JSONWriter) {
    if case .returned = self {
      writer.member("id", post.uuid)
      writer.member("v", version)
    } else {
      writer.op(id: post.uuid, version: version) { writeFields(to: &$0) }
    }
  }

  private func writeFields(to writer: inout JSONWriter) {
    switch self {
    case .tagged(let tag), .untagged(let tag): writer.member("tag", tag.uuid)
    case .assigned(let user), .unassigned(let user): writer.member("user", user.uuid)
    case .submitted(let stamp): writer.member("submitted", stamp)
    case .returned: break
    case .partCompleted(let user), .partReopened(let user): writer.member("user", user.uuid)
    }
  }
}

extension OverdueMark {
  package enum Kind: String, CaseIterable, Sendable {
    case became = "post.became_overdue"
    case again = "post.overdue_again"
    case taken = "post.not_overdue"
  }

  package var kind: Kind {
    switch self {
    case .became: .became
    case .again: .again
    case .taken: .taken
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    switch kind {
    case .became: self = .became(try op.f().time("overdue"))
    case .again: self = .again(try op.f().time("overdue"))
    case .taken: self = .taken
    }
  }

  func write(of post: PostID, to writer: inout JSONWriter) {
    if let overdue {
      writer.op(id: post.uuid) { $0.member("overdue", overdue) }
    } else {
      writer.member("id", post.uuid)
    }
  }
}
