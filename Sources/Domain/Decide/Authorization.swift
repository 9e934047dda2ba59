// Asks what every command about a place asks first: is it there for this person, and may they do that?

/// Returns the caller's role in a category or group, for a method that the role allows.
func role(
  of user: UserID, in stream: StreamID, for method: Method, in world: inout World
) throws(Halt) -> Role {
  try world.require([
    .object(stream, ObjectKey(kind: .member, id: user.uuid)), .head(stream),
  ])
  guard let role = try world.member(user, of: stream)?.role else {
    throw .refused(.notFound(stream.noun))
  }
  guard Permission.allows(role, method) else {
    throw .refused(.forbidden("the role \(role.word) does not allow \(method.name) here"))
  }
  return role
}

/// Returns a category where the caller may call the method. A removed one is returned only with `evenRemoved`.
func enter(
  _ id: CategoryID, for method: Method, evenRemoved: Bool = false, by caller: Caller,
  in world: inout World
) throws(Halt) -> Category {
  let stream = StreamID.category(id)
  try world.require([
    .object(stream, ObjectKey(kind: .category, id: id.uuid)),
    .object(stream, ObjectKey(kind: .member, id: caller.user.uuid)), .head(stream),
  ])
  _ = try role(of: caller.user, in: stream, for: method, in: &world)
  guard let category = try world.category(id) else { throw .refused(.notFound(stream.noun)) }
  guard evenRemoved || category.removed == nil else { throw .refused(.gone(stream.noun)) }
  try category.refuseArchived(for: method)
  return category
}

/// Returns a group in the same way.
func enter(
  _ id: GroupID, for method: Method, evenRemoved: Bool = false, by caller: Caller,
  in world: inout World
) throws(Halt) -> Group {
  let stream = StreamID.group(id)
  try world.require([.object(stream, ObjectKey(kind: .group, id: id.uuid))])
  _ = try role(of: caller.user, in: stream, for: method, in: &world)
  guard let group = try world.group(id) else { throw .refused(.notFound(stream.noun)) }
  guard evenRemoved || group.removed == nil else { throw .refused(.gone(stream.noun)) }
  return group
}

/// Returns the name of a category or group where the caller may call the method.
func enter(
  _ stream: StreamID, for method: Method, evenRemoved: Bool = false, by caller: Caller,
  in world: inout World
) throws(Halt) -> String {
  switch stream {
  case .category(let id):
    return try enter(id, for: method, evenRemoved: evenRemoved, by: caller, in: &world).name
  case .group(let id):
    return try enter(id, for: method, evenRemoved: evenRemoved, by: caller, in: &world).name
  case .user:
    throw .refused(.invalid(field: "stream", reason: "must be a category or a group"))
  }
}

/// Refuses an id that has a stream already. Ids of users, groups and categories are one space.
func refuseKnown(_ id: UUID, in world: inout World) throws(Halt) {
  let streams: [StreamID] = [
    .category(CategoryID(id)), .group(GroupID(id)), .user(UserID(id)),
  ]
  try world.require(streams.map { .head($0) })
  for stream in streams where try world.head(of: stream) != nil {
    throw .refused(.exists(field: "id"))
  }
}

extension StreamID {
  /// The noun for the stream in a refusal. It is the same whether the stream does not exist or is somebody else's.
  package var noun: String {
    switch self {
    case .category: "category"
    case .group: "group"
    case .user: "user"
    }
  }
}
