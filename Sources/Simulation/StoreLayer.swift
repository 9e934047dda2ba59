package import Domain
package import Sync

/// A store above another one, to which everything passes through; a layer implements only the methods for which it
/// exists. There are two layers: the simulator's store that fails on demand, and the tests' store that fails at one
/// call.
package protocol StoreLayer: EventStore {
  var inner: any EventStore { get }
}

extension StoreLayer {
  package var identity: StoreIdentity { inner.identity }

  package func load(_ needs: [LedgerNeed]) throws(StoreError) -> [LedgerLoaded] {
    try inner.load(needs)
  }
  package func commit(_ transaction: LedgerTransaction) throws(StoreError) {
    try inner.commit(transaction)
  }
  @discardableResult
  package func tidy() throws(StoreError) -> Bool { try inner.tidy() }
  package func trim(before time: Timestamp) throws(StoreError) -> TrimStep {
    try inner.trim(before: time)
  }
  package func zonesAre(_ version: String) throws(StoreError) -> Bool {
    try inner.zonesAre(version)
  }
  package func confirmClock(_ confirmation: ClockConfirmation) throws(StoreError) {
    try inner.confirmClock(confirmation)
  }
  package func lookAtAllAgain() throws(StoreError) { try inner.lookAtAllAgain() }
  package func countBin(from time: Timestamp) throws(StoreError) { try inner.countBin(from: time) }
  package func binCountsFrom() throws(StoreError) -> Timestamp? { try inner.binCountsFrom() }
  package func confirmedClock() throws(StoreError) -> ClockConfirmation? {
    try inner.confirmedClock()
  }

  package func read<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    try inner.read(body)
  }
  package func session(tokenHash: [UInt8]) throws(StoreError) -> SessionRecord? {
    try inner.session(tokenHash: tokenHash)
  }
  package func sessions(of user: UserID) throws(StoreError) -> [SessionRecord] {
    try inner.sessions(of: user)
  }
  package func account(_ user: UserID) throws(StoreError) -> Account? { try inner.account(user) }
  package func account(username: String) throws(StoreError) -> Account? {
    try inner.account(username: username)
  }
  package func bots(of owner: UserID) throws(StoreError) -> [Account] {
    try inner.bots(of: owner)
  }

  package func webhooks(of bot: UserID) throws(StoreError) -> [Webhook] {
    try inner.webhooks(of: bot)
  }
  package func webhooks() throws(StoreError) -> [Webhook] { try inner.webhooks() }

  package func guestCount(usedSince time: Timestamp) throws(StoreError) -> Int {
    try inner.guestCount(usedSince: time)
  }
  package func isSpent(code: String) throws(StoreError) -> Bool { try inner.isSpent(code: code) }
  package func key(_ address: KeyAddress) throws(StoreError) -> KeyRecord? {
    try inner.key(address)
  }
  package func streams(of user: UserID) throws(StoreError) -> [StreamAccess] {
    try inner.streams(of: user)
  }
  package func access(of user: UserID, to stream: StreamID) throws(StoreError) -> StreamAccess? {
    try inner.access(of: user, to: stream)
  }
  package func oldestLine(in stream: StreamID) throws(StoreError) -> Int64? {
    try inner.oldestLine(in: stream)
  }
  package func head(of stream: StreamID) throws(StoreError) -> StreamHead? {
    try inner.head(of: stream)
  }
  package func storage(of stream: StreamID) throws(StoreError) -> StoredBytes? {
    try inner.storage(of: stream)
  }
  package func transaction(at position: StreamPosition) throws(StoreError) -> TransactionID? {
    try inner.transaction(at: position)
  }
  package func events(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredEvent] {
    try inner.events(in: stream, after: after, through: through, bytesMax: bytesMax)
  }
  package func past(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredPast] {
    try inner.past(in: stream, after: after, through: through, bytesMax: bytesMax)
  }
  package func stateBytes(of stream: StreamID) throws(StoreError) -> Int64? {
    try inner.stateBytes(of: stream)
  }
  package func outline(of stream: StreamID) throws(StoreError) -> StoredOutline? {
    try inner.outline(of: stream)
  }
  package func snapshot(of stream: StreamID) throws(StoreError) -> StoredSnapshot? {
    try inner.snapshot(of: stream)
  }
  package func object(_ key: ObjectKey, in stream: StreamID) throws(StoreError) -> [UInt8]? {
    try inner.object(key, in: stream)
  }
  package func stateObject(
    _ key: ObjectKey, in stream: StreamID
  ) throws(StoreError) -> [UInt8]? {
    try inner.stateObject(key, in: stream)
  }
  package func objects(_ kind: ObjectKind, in stream: StreamID) throws(StoreError) -> [[UInt8]] {
    try inner.objects(kind, in: stream)
  }
  package func posts(
    in category: CategoryID, on shelf: PostShelf, before: Int?, limit: Int
  ) throws(StoreError) -> [[UInt8]] {
    try inner.posts(in: category, on: shelf, before: before, limit: limit)
  }
  package func openWork(
    of user: UserID, in category: CategoryID, after number: Int, limit: Int
  ) throws(StoreError) -> [[UInt8]] {
    try inner.openWork(of: user, in: category, after: number, limit: limit)
  }
  package func removedCategories(of user: UserID) throws(StoreError) -> [[UInt8]] {
    try inner.removedCategories(of: user)
  }
  package func tallies(of category: CategoryID) throws(StoreError) -> [MemberTally] {
    try inner.tallies(of: category)
  }
  package func searchedLists(of user: UserID) throws(StoreError) -> [SearchedList] {
    try inner.searchedLists(of: user)
  }
  package func found(_ search: PostSearch) throws(StoreError) -> [FoundPost] {
    try inner.found(search)
  }
  package func posts(
    beginning title: TwinTitle, in category: CategoryID
  ) throws(StoreError) -> [Post] {
    try inner.posts(beginning: title, in: category)
  }
  package func untoldDues(through time: Timestamp, limit: Int) throws(StoreError) -> [DuePost] {
    try inner.untoldDues(through: time, limit: limit)
  }
  package func newestEventTime() throws(StoreError) -> Timestamp? { try inner.newestEventTime() }
  package func endedClaims(through time: Timestamp, limit: Int) throws(StoreError) -> [EndedClaim] {
    try inner.endedClaims(through: time, limit: limit)
  }

  package func liveRuns() throws(StoreError) -> [LiveRun] { try inner.liveRuns() }

  package func binnedPosts(through time: Timestamp, limit: Int) throws(StoreError) -> [BinnedPost] {
    try inner.binnedPosts(through: time, limit: limit)
  }
  package func dueCheck(limit: Int) throws(StoreError) -> DueCheckPart? {
    try inner.dueCheck(limit: limit)
  }
  package func dueReminders(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [ReminderRow] {
    try inner.dueReminders(through: time, limit: limit)
  }
  package func reminderChecks(
    limit: Int, butAbout others: Set<ReminderSubject>
  ) throws(StoreError) -> [ReminderCheckPart] {
    try inner.reminderChecks(limit: limit, butAbout: others)
  }
  package func endingAccounts(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [EndingAccount] {
    try inner.endingAccounts(through: time, limit: limit)
  }
  package func untoldNames(limit: Int) throws(StoreError) -> [UntoldName] {
    try inner.untoldNames(limit: limit)
  }
  package func naming(_ user: UserID, from place: NamingPlace) throws(StoreError) -> NamingStep {
    try inner.naming(user, from: place)
  }
  package func viewed(_ view: PostView) throws(StoreError) -> ViewedPage {
    try inner.viewed(view)
  }
  package func dues(_ range: DueRange) throws(StoreError) -> DueMarks { try inner.dues(range) }
  package func achievements(
    in category: CategoryID, _ span: AchievementSpan
  ) throws(StoreError) -> [AchievementRow] {
    try inner.achievements(in: category, span)
  }
}
