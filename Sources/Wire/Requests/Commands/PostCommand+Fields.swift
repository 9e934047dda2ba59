import Domain

// The fields of the changes of a post, both ways. The arguments of a call are evaluated from left to right, so fields
// are read in the order in which they stand (protocol §8).

extension PostMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .add: .post(.add(try params.address(), try NewPost(params)))
    case .importUpsert: .post(.importUpsert(try params.address(), try ImportedPost(params)))
    case .claimNext: .post(.claimNext(try params.category(), milliseconds: try params.lease()))
    case .edit: try .post(.change(params.address(), .edit(params), params))
    case .complete: try .post(.change(params.address(), .complete(params), params))
    case .reopen: try .post(.change(params.address(), .reopen, params))
    case .takeBack: try .post(.change(params.address(), .takeBack(event: params.event()), params))
    case .skip:
      try .post(.change(params.address(), .occurrence(params.occurrence(), .skip), params))
    case .remove: try .post(.change(params.address(), .remove(params), params))
    case .restore: try .post(.change(params.address(), .restore, params))
    case .erase: .post(.change(try params.address(), .erase, ifVersion: nil))
    case .move: try .post(.change(params.address(), .move(params), params))
    case .moveTo: try .post(.change(params.address(), .moveTo(params.category("to")), params))
    case .copy: try .post(.change(params.address(), .copy(params), params))
    case .tag: try .post(.change(params.address(), .tag(TagID(params.uuid("tag"))), params))
    case .untag: try .post(.change(params.address(), .untag(TagID(params.uuid("tag"))), params))
    case .assign: try .post(.change(params.address(), .assign(UserID(params.uuid("user"))), params))
    case .unassign:
      try .post(.change(params.address(), .unassign(UserID(params.uuid("user"))), params))
    case .claim: try .post(.change(params.address(), .claim(milliseconds: params.lease()), params))
    case .release: try .post(.change(params.address(), .release, params))
    }
  }
}

extension PostCommand {
  /// Reads the version behind a change of a post.
  static func change(
    _ address: PostAddress, _ change: PostChange, _ params: Params
  ) throws(Refusal) -> PostCommand {
    .change(address, change, ifVersion: try params.ifVersion())
  }

  func add(to fields: inout SortedFields) {
    switch self {
    case .add(let address, let new): new.add(to: &fields, at: address)
    case .change(let address, let change, let version):
      change.add(to: &fields, at: address)
      fields.add("ifVersion", version)
    case .importUpsert(let address, let item):
      fields.add(address)
      item.add(to: &fields)
    case .claimNext(let category, let lease):
      fields.add("category", category.uuid)
      fields.add("leaseMs", lease)
    }
  }
}

extension NewPost {
  init(_ params: Params) throws(Refusal) {
    self.init(
      title: try params.title(), notes: try params.has("notes") ? params.notes("notes") : "")
    for member in PostMember.all { try member.ask(params, false, &fields) }
  }
}

extension NewPost {
  fileprivate func add(to fields: inout SortedFields, at address: PostAddress) {
    fields.add(address)
    fields.add("title", title)
    fields.add("notes", notes.isEmpty ? nil : notes)
    for member in PostMember.all { member.addSorted(self.fields, &fields) }
  }
}

extension PostEdit {
  init(_ params: Params) throws(Refusal) {
    self.init(
      title: try params.has("title") ? params.title() : nil,
      notes: try params.has("notes") ? params.notes("notes") : nil)
    for member in PostMember.all { try member.ask(params, true, &self) }
    guard self != PostEdit() else {
      throw params.invalid("title", "or another field must be there")
    }
  }
}

extension SortedFields {
  mutating func add(_ edit: PostEdit) {
    add("title", edit.title)
    add("notes", edit.notes)
    for member in PostMember.all { member.addSorted(edit, &self) }
  }

  /// Adds `forAll`. It is left out where it is false, so that the hashed bytes are those of a client that does not know
  /// the member.
  mutating func addForAll() { add("forAll") { $0.member("forAll", true) } }

  mutating func add(_ address: PostAddress) {
    add("category", address.category.uuid)
    add("id", address.post.uuid)
  }
}
