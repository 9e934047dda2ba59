import Domain

// The parameters of the changes of a post, both ways. The arguments of a call are evaluated from left to right, so they
// are read in the order in which they stand (protocol §8).

extension PostMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .add: .post(.add(try params.newAddress(), try NewPost(params)))
    case .importUpsert: .post(.importUpsert(try params.newAddress(), try ImportedPost(params)))
    case .claimNext:
      .post(.claimNext(try params.read(.category), milliseconds: try params.lease()))
    case .edit: try .post(.change(params.address(), .edit(params), params))
    case .complete: try .post(.change(params.address(), .complete(params), params))
    case .reopen: try .post(.change(params.address(), .reopen, params))
    case .takeBack:
      try .post(.change(params.address(), .takeBack(event: params.read(.event)), params))
    case .skip:
      try .post(.change(params.address(), .occurrence(params.occurrence(), .skip), params))
    case .remove: try .post(.change(params.address(), .remove(params), params))
    case .restore: try .post(.change(params.address(), .restore, params))
    case .erase: .post(.change(try params.address(), .erase, ifVersion: nil))
    case .move: try .post(.change(params.address(), .move(params), params))
    case .moveTo: try .post(.change(params.address(), .moveTo(params.read(.otherCategory)), params))
    case .copy: try .post(.change(params.address(), .copy(params), params))
    case .tag: try .post(.change(params.address(), .tag(params.read(.postTag)), params))
    case .untag: try .post(.change(params.address(), .untag(params.read(.postTag)), params))
    case .assign: try .post(.change(params.address(), .assign(params.read(.assignee)), params))
    case .unassign: try .post(.change(params.address(), .unassign(params.read(.assignee)), params))
    case .claim:
      try .post(.change(params.address(), .claim(milliseconds: params.lease()), params))
    case .release: try .post(.change(params.address(), .release, params))
    }
  }
}

extension PostCommand {
  /// Reads the version behind a change of a post.
  static func change(
    _ address: PostAddress, _ change: PostChange, _ params: Params
  ) throws(Refusal) -> PostCommand {
    .change(address, change, ifVersion: try params.optional(.ifVersion))
  }

  func add(to fields: inout SortedFields) {
    switch self {
    case .add(let address, let new):
      fields.add(address)
      new.add(to: &fields)
    case .change(let address, let change, let version):
      fields.add(address)
      change.add(to: &fields)
      fields.add(.ifVersion, version)
    case .importUpsert(let address, let item):
      fields.add(address)
      item.add(to: &fields)
    case .claimNext(let category, let lease):
      fields.add(.category, category)
      fields.add(.lease, lease)
    }
  }
}

extension NewPost {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(title: try params.read(.title), notes: try params.read(.notes, or: ""))
    for member in PostMember.all { try member.ask(params, false, &fields) }
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.title, title)
    fields.add(.notes, notes.isEmpty ? nil : notes)
    for member in PostMember.all { member.addSorted(self.fields, &fields) }
  }
}

extension PostEdit {
  init(_ params: Params) throws(Refusal) {
    self.init(title: try params.optional(.title), notes: try params.optional(.notes))
    for member in PostMember.all { try member.ask(params, true, &self) }
    try params.needsOne(from: "title", self != PostEdit())
  }
}

extension ImportedPost {
  fileprivate init(_ params: Params) throws(Refusal) {
    let origin = try params.read(.origin)
    var fields = PostEdit(title: try params.read(.title), notes: try params.optional(.notes))
    for member in PostMember.all where Source.Field(rawValue: member.name) != nil {
      try member.ask(params, true, &fields)
    }
    self.init(source: origin.key, url: origin.url, fields: fields)
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.origin, PostOrigin(key: source, url: url))
    fields.add(self.fields)
  }
}

extension SortedFields {
  mutating func add(_ edit: PostEdit) {
    add(.title, edit.title)
    add(.notes, edit.notes)
    for member in PostMember.all { member.addSorted(edit, &self) }
  }
}

extension Params {
  /// Reads where a post is going to be.
  fileprivate func newAddress() throws(Refusal) -> PostAddress {
    PostAddress(category: try read(.category), post: try read(.newPost))
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<PostID> {
  fileprivate static var newPost: Self { Self("id", S(), "the id of the new post") }
}

extension Parameter where S == IDShape<CategoryID> {
  static var otherCategory: Self { Self("to", S(), "the category where it is then") }
}

extension Parameter where S == IDShape<TagID> {
  static var postTag: Self { Self("tag", S(), "a tag of the category") }
}

extension Parameter where S == IDShape<UserID> {
  static var assignee: Self { .user("whose work the post is, or is no more") }
}

extension Parameter where S == IntegerShape<Int64> {
  static var lease: Self {
    Self(
      "leaseMs", S(range: Int64(Limits.claimMillisecondsMin)...Int64(Limits.claimMillisecondsMax)),
      "for how long the post is the sender's (`claimMsMin` to `claimMsMax`)")
  }

  static var event: Self {
    Self(
      "event", S(range: 1...JSONNumber.integerMax),
      "the number of the event that completed the last occurrence, by a `post.occurred`")
  }
}

extension Params {
  fileprivate func lease() throws(Refusal) -> Int64 {
    try read(.lease, or: Int64(Limits.claimMilliseconds))
  }
}
