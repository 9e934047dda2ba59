/// An action that asks the server for what no copy has. It changes nothing.
enum AskAction: Equatable {
  /// Asks what is new, everywhere or in one list or group.
  case notifications(Reference?)
  /// Asks how much there is, in numbers only.
  case glance
  case bin(Reference?)
  /// Asks for the lists and groups that are removed.
  case removedPlaces
  /// Asks who is there, and what each has done.
  case who(Reference?, StatsSpan)
  /// Asks for the history of a post, or of the whole list or group.
  case history(Reference?, Int?)
  /// Asks how the last runs of a post ended.
  case runs(Reference?, Int)
  /// Asks for the talk before what is shown, or before the line with this number; with a post, for its comments.
  case olderTalk(Reference?, Int?, before: Int?)
  /// Asks for what somebody needs to know who goes on with a list: its state, and what has happened since a moment.
  case handOver(Reference?, since: SinceWish?)
  /// Asks why one is told of a post, and what others did to it.
  case why(Reference?, Int)
  /// Asks why one is told of what a person does in a list or group, and what that is.
  case whyPerson(Reference?, String)
  /// Finds posts with these words in all lists, or in one.
  case find(String, in: Reference?)
  /// Finds posts of a list that already have this title.
  case twins(Reference?, String)
  /// Asks for the digest of a day for all lists.
  case digest(DigestWish)
  /// Asks who has completed how much in a list or a group.
  case stats(Reference?, StatsSpan, StatsView)
  /// Asks how much one has completed oneself in all lists.
  case ownStats(StatsSpan, StatsView)
  /// Asks for posts of all lists that meet a condition.
  case view(ViewWish)
  /// Asks about the server, and for its operator's words about people's data.
  case privacy
}
