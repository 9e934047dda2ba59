// The step that lets posts be found by members that few of them have. Each is an index over the body itself, so a row
// in it cannot say anything else than the post does, and nothing has to write it. In JSON a quotation mark inside a
// text is written with a backslash in front of it, so a text never has the words that are looked for. (SQLite's own
// functions for JSON may not stand in an index here, because `trusted_schema` is off.) Since Schema+Traits.swift a bit
// beside the body says which posts are in an index.
//
// post_claimed   claimed posts, by when their claims end (Domain/Model/PostClaim.swift)
// post_placed    the open posts of a list that somebody has put somewhere, in their order; all others stand where their
//                numbers say (Domain/Model/Position.swift)
// account_guest  the accounts without a password, whose number is limited

import Sync

extension Schema {
  static let work =
    """
    CREATE INDEX post_claimed ON object(\(WorkSQL.until), stream, number)
      WHERE \(WorkSQL.wasClaimed);
    CREATE INDEX post_placed ON object(stream, \(WorkSQL.position), number)
      WHERE \(WorkSQL.wasPlaced);
    CREATE INDEX account_guest ON account(user) WHERE password = '';
    """
}

/// The statements that use these indexes. Their words are those of the indexes, letter by letter.
enum WorkSQL {
  fileprivate static let until =
    """
    CAST(substr(CAST(body AS TEXT), instr(CAST(body AS TEXT), '"until":') + 8, 16) AS INTEGER)
    """
  /// The condition before Schema+Traits.swift.
  fileprivate static let wasClaimed = "kind = 6 AND instr(CAST(body AS TEXT), '\"claim\":{') > 0"
  private static let isClaimed = "kind = 6 AND \(PostTraits.claim.sql)"
  fileprivate static let position = "substr(\(placed), 1, instr(\(placed), '\"') - 1)"
  private static let placed =
    """
    substr(CAST(body AS TEXT), instr(CAST(body AS TEXT), '"position":"') + 12, 65)
    """
  /// The condition before Schema+Traits.swift.
  fileprivate static let wasPlaced =
    """
    kind = 6 AND in_state = 1 AND rank IS NULL
      AND instr(CAST(body AS TEXT), '"position":"') > 0
    """
  private static let isPlaced =
    "kind = 6 AND in_state = 1 AND rank IS NULL AND \(PostTraits.position.sql)"
  static let indexes =
    """
    CREATE INDEX post_claimed ON object(\(until), stream, number) WHERE \(isClaimed);
    CREATE INDEX post_placed ON object(stream, \(position), number) WHERE \(isPlaced);
    """
  static let endedClaims =
    """
    SELECT (SELECT name FROM stream WHERE stream.number = object.stream), id, \(until)
    FROM object INDEXED BY post_claimed WHERE \(isClaimed) AND \(until) <= ?1
    ORDER BY \(until), stream, number LIMIT ?2
    """
  /// The posts that ?2 may claim next, among the first ?3 rows.
  private static let isFree =
    """
    NOT \(PostTraits.claim.sql)
      AND instr(CAST(body AS TEXT), '"submitted":{') = 0
      AND instr(CAST(body AS TEXT), '"mode":"each"') = 0
      AND (instr(CAST(body AS TEXT), '"assignees":[') = 0 OR instr(CAST(body AS TEXT), ?2) > 0)
    """
  /// Open work of a person. The words of ?2 may also belong to a part, and a post that is for each may be another's
  /// part, so the caller looks at both again.
  static let openWork =
    """
    SELECT body, sum FROM object INDEXED BY object_in_state
    WHERE stream = (SELECT number FROM stream WHERE name = ?1)
      AND kind = \(KindNumber.post) AND in_state = 1 AND rank IS NULL AND number > ?3
      AND (instr(body, ?2) > 0 OR instr(body, x'226d6f6465223a226561636822') > 0)
    ORDER BY number LIMIT ?4
    """
  static let placedPosts =
    """
    SELECT id, number, place FROM (
      SELECT id, number, \(position) AS place, body, traits FROM object INDEXED BY post_placed
      WHERE stream = (SELECT number FROM stream WHERE name = ?1) AND \(isPlaced)
      ORDER BY \(position), number LIMIT ?3)
    WHERE \(isFree) LIMIT ?4
    """
  static let unplacedPosts =
    """
    SELECT id, number FROM (
      SELECT id, number, body, traits FROM object INDEXED BY object_in_state
      WHERE stream = (SELECT number FROM stream WHERE name = ?1)
        AND kind = \(KindNumber.post) AND in_state = 1 AND rank IS NULL
      ORDER BY number LIMIT ?3)
    WHERE NOT \(PostTraits.position.sql) AND \(isFree) LIMIT ?4
    """
}
