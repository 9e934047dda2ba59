import Domain

/// One limit by its name on the wire.
package struct ToldLimit: Equatable, Sendable {
  package let name: String
  package let value: Int
  package init(name: String, value: Int) {
    self.name = name
    self.value = value
  }
}

extension ToldLimit {
  /// Every limit that a client can run into (protocol §13), as `hello` tells it. The name that an error of kind `quota`
  /// gives in `limit` is one of these.
  package static let standard: [ToldLimit] = [
    ToldLimit(name: "messageBytes", value: Limits.messageBytesMax),
    ToldLimit(name: "pageBytes", value: Limits.pageBytesMax),
    ToldLimit(name: "jsonDepth", value: Limits.jsonDepthMax),
    ToldLimit(name: "inFlight", value: Limits.inFlightMax),
    ToldLimit(name: "subscriptions", value: Limits.subscriptionsMax),
    ToldLimit(name: "commandsPerSecond", value: Limits.commandsPerSecond),
    ToldLimit(name: "commandsBurst", value: Limits.commandsBurst),
    ToldLimit(name: "hellosPerMinute", value: Limits.hellosPerMinute),
    ToldLimit(name: "historyPerMinute", value: Limits.historyPerMinute),
    ToldLimit(name: "historyBurst", value: Limits.historyBurst),
    ToldLimit(name: "exportPagesPerMinute", value: Limits.exportPagesPerMinute),
    ToldLimit(name: "exportPagesBurst", value: Limits.exportPagesBurst),
    ToldLimit(name: "batchCommands", value: Limits.batchCommandsMax),
    ToldLimit(name: "batchOps", value: Limits.batchOpsMax),
    ToldLimit(name: "ephemeralsPerSecond", value: Limits.ephemeralsPerSecond),
    ToldLimit(name: "ephemeralsBurst", value: Limits.ephemeralsBurst),
    ToldLimit(name: "ephemerals", value: Limits.ephemeralsPerConnectionMax),
    ToldLimit(name: "ephemeralsListed", value: Limits.ephemeralsListedMax),
    ToldLimit(name: "progressScalars", value: Limits.progressScalarsMax),
    ToldLimit(name: "titleScalars", value: Limits.titleScalarsMax),
    ToldLimit(name: "notesScalars", value: Limits.notesScalarsMax),
    ToldLimit(name: "takeBackDays", value: Limits.takeBackDays),
    ToldLimit(name: "steps", value: Limits.stepsPerPostMax),
    ToldLimit(name: "stepScalars", value: Limits.stepScalarsMax),
    ToldLimit(name: "stepsScalars", value: Limits.stepsScalarsMax),
    ToldLimit(name: "positionCharacters", value: Limits.positionCharactersMax),
    ToldLimit(name: "postLists", value: Limits.listsPerPostMax),
    ToldLimit(name: "nameScalars", value: Limits.nameScalarsMax),
    ToldLimit(name: "locationScalars", value: Limits.locationScalarsMax),
    ToldLimit(name: "clientScalars", value: Limits.clientScalarsMax),
    ToldLimit(name: "tagScalars", value: Limits.tagScalarsMax),
    ToldLimit(name: "tags", value: Limits.tagsPerCategoryMax),
    ToldLimit(name: "postTags", value: Limits.tagsPerPostMax),
    ToldLimit(name: "personalPosts", value: Limits.personalPostsMax),
    ToldLimit(name: "personalNoteScalars", value: Limits.personalNoteScalarsMax),
    ToldLimit(name: "personalNotesScalars", value: Limits.personalNotesScalarsMax),
    ToldLimit(name: "remindersPerPost", value: Limits.remindersPerPostMax),
    ToldLimit(name: "reminders", value: Limits.remindersPerUserMax),
    ToldLimit(name: "reminderMinutes", value: Limits.reminderMinutesMax),
    ToldLimit(name: "planMinutes", value: Limits.planMinutesMax),
    ToldLimit(name: "defaultReminders", value: Limits.defaultRemindersMax),
    ToldLimit(name: "dueSoonHours", value: Limits.dueSoonHoursMax),
    ToldLimit(name: "assignees", value: Limits.assigneesPerPostMax),
    ToldLimit(name: "sourceNameScalars", value: Limits.sourceNameScalarsMax),
    ToldLimit(name: "sourceIdScalars", value: Limits.sourceIDScalarsMax),
    ToldLimit(name: "sourceUrlScalars", value: Limits.sourceURLScalarsMax),
    ToldLimit(name: "parts", value: Limits.partsPerPostMax),
    ToldLimit(name: "claimMs", value: Limits.claimMilliseconds),
    ToldLimit(name: "claimMsMin", value: Limits.claimMillisecondsMin),
    ToldLimit(name: "claimMsMax", value: Limits.claimMillisecondsMax),
    ToldLimit(name: "runLeaseMs", value: Limits.runLeaseMilliseconds),
    ToldLimit(name: "runLeaseMsMin", value: Limits.runLeaseMillisecondsMin),
    ToldLimit(name: "runLeaseMsMax", value: Limits.runLeaseMillisecondsMax),
    ToldLimit(name: "runPhaseScalars", value: Limits.runPhaseScalarsMax),
    ToldLimit(name: "runTextScalars", value: Limits.runTextScalarsMax),
    ToldLimit(name: "postsOpen", value: Limits.postsOpenPerCategoryMax),
    ToldLimit(name: "completedInState", value: Limits.completedInStateMax),
    ToldLimit(name: "notificationsInState", value: Limits.noticesInStateMax),
    ToldLimit(name: "remindersInState", value: Limits.remindersInStateMax),
    ToldLimit(name: "members", value: Limits.membersPerCategoryMax),
    ToldLimit(name: "membersPerGroup", value: Limits.membersPerGroupMax),
    ToldLimit(name: "categories", value: Limits.categoriesPerUserMax),
    ToldLimit(name: "categoriesPerGroup", value: Limits.categoriesPerGroupMax),
    ToldLimit(name: "groups", value: Limits.groupsPerUserMax),
    ToldLimit(name: "invitations", value: Limits.pendingInvitationsPerUserMax),
    ToldLimit(name: "invitationsReceived", value: Limits.pendingInvitationsReceivedMax),
    ToldLimit(name: "invitationsToOnePerDay", value: Limits.invitationsToOnePerDay),
    ToldLimit(name: "invitationDays", value: Limits.invitationDays),
    ToldLimit(name: "blocks", value: Limits.blocksMax),
    ToldLimit(name: "levels", value: Limits.levelsMax),
    ToldLimit(name: "codes", value: Limits.codesPerPlaceMax),
    ToldLimit(name: "codeUses", value: Limits.codeUsesMax),
    ToldLimit(name: "codeDays", value: Limits.codeDaysMax),
    ToldLimit(name: "links", value: Limits.linksPerCategoryMax),
    ToldLimit(name: "linkDays", value: Limits.linkDaysMax),
    ToldLimit(name: "linkConnections", value: Limits.linkConnectionsMax),
    ToldLimit(name: "sessions", value: Limits.sessionsPerUserMax),
    ToldLimit(name: "bots", value: Limits.botsPerPersonMax),
    ToldLimit(name: "tokens", value: Limits.tokensPerBotMax),
    ToldLimit(name: "tokenLists", value: Limits.tokenListsMax),
    ToldLimit(name: "tokenMethods", value: Limits.tokenMethodsMax),
    ToldLimit(name: "tokenDays", value: Limits.tokenDaysMax),
    ToldLimit(name: "webhooks", value: Limits.webhooksPerBotMax),
    ToldLimit(name: "webhookStreams", value: Limits.webhookStreamsMax),
    ToldLimit(name: "streams", value: Limits.streamsPerCommandMax),
    ToldLimit(name: "listPage", value: Limits.listPageMax),
    ToldLimit(name: "notificationsPage", value: Limits.notificationsPageMax),
    ToldLimit(name: "searchScalars", value: Limits.searchScalarsMax),
    ToldLimit(name: "searchStreams", value: Limits.searchStreamsMax),
    ToldLimit(name: "searchPage", value: Limits.searchPageMax),
    ToldLimit(name: "searchMarks", value: Limits.searchMarksMax),
    ToldLimit(name: "filters", value: Limits.filtersMax),
    ToldLimit(name: "filterScalars", value: Limits.filterScalarsMax),
    ToldLimit(name: "viewPage", value: Limits.viewPageMax),
    ToldLimit(name: "agendaDays", value: Limits.agendaDaysMax),
    ToldLimit(name: "statsDays", value: Limits.statsDaysMax),
    ToldLimit(name: "undoEvents", value: Limits.undoEventsMax),
    ToldLimit(name: "undoPosts", value: Limits.undoPostsMax),
    ToldLimit(name: "unreadCount", value: Limits.unreadCountMax),
    ToldLimit(name: "storedBytes", value: Limits.storedBytesMax),
    ToldLimit(name: "groupStoredBytes", value: Limits.groupStoredBytesMax),
    ToldLimit(name: "listBytes", value: Limits.listBytesMax),
    ToldLimit(name: "bytesPerDay", value: Limits.bytesPerDay),
    ToldLimit(name: "ownerBytesPerDay", value: Limits.ownerBytesPerDay),
  ]
}

extension ToldLimit {
  /// Returns the standard limits with other values, by name. A name that is none of them is not told.
  package static func standard(with values: [String: Int]) -> [ToldLimit] {
    standard.map { ToldLimit(name: $0.name, value: values[$0.name] ?? $0.value) }
  }
}
