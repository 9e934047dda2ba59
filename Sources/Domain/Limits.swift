/// Every maximum that a person or a program can run into, with its reason. Told in `hello.limits`.
///
/// Texts are counted in Unicode scalars after normalisation to NFC.
package enum Limits {
  /// One screen of a terminal; Todoist has the same.
  package static let titleScalarsMax = 500
  /// Todoist 16 383; a long page.
  package static let notesScalarsMax = 16_384
  package static let nameScalarsMax = 120
  /// A post has so many steps: more than one screen; below the limit of peers (Google Tasks 2 000).
  package static let stepsPerPostMax = 200
  /// A step is a line, as a title is.
  package static let stepScalarsMax = 500
  /// The steps of a post say so much together. A post with the longest notes and these has some 170 KiB, so
  /// every event that carries it whole is below `eventBytesMax`, whatever else stands in it.
  package static let stepsScalarsMax = 16_384
  package static let locationScalarsMax = 120
  /// RFC 5646 §4.4.1: tags in use are shorter.
  package static let localeBytesMax = 35
  /// The name that a client gives itself.
  package static let clientScalarsMax = 120
  package static let usernameCharacters = 3...32
  /// Long enough to be worth hashing, short enough to hash quickly before scrypt.
  package static let passwordBytes = 8...256
  /// A UUID with a prefix fits twice.
  package static let commandKeyCharactersMax = 64
  /// A base letter with more marks than any script needs is an attack on the screen.
  package static let combiningMarksPerGraphemeMax = 8

  /// The place of a post in its list: some 250 moves into one gap, one after the other (`Position`).
  package static let positionCharactersMax = 64
  /// Other lists that a post may have been in: erasing its text looks at each.
  package static let listsPerPostMax = 50
  /// So many posts that stand around a full gap are moved with one that shall go there.
  package static let postsSpreadMax = 64

  /// All that is stored of a person: what they say to themselves and the lists that they own, with everything that ever
  /// happened there. A family makes some megabytes a year.
  package static let storedBytesMax = 2 << 30
  /// The bytes of a group and its lists: as many people work there, and bots.
  package static let groupStoredBytesMax = 8 << 30
  /// The bytes that one person, or one bot, writes in a day: 200 000 short posts, or 16 000 with the longest
  /// notes.
  package static let bytesPerDay = 256 << 20
  /// The bytes that all together write in a day in the lists of one owner, or of one group.
  package static let ownerBytesPerDay = 1 << 30
  /// The state of a list: every member's devices hold all of it. Ten thousand open posts of a page each.
  package static let listBytesMax = 48 << 20

  package static let messageBytesMax = 256 * 1024
  /// An event's body: a message with room for what stands around it in a push, a tail or a page of history.
  package static let eventBytesMax = messageBytesMax - 4 * 1024
  /// The old values that are kept beside an event: of each object, those that the event changed. An undo that
  /// takes the longest texts of five hundred posts back to short ones would be twice as much, and nobody could
  /// read it again.
  package static let beforeBytesMax = 64 * eventBytesMax
  /// A page of a snapshot or of a tail: small enough to share a socket fairly.
  package static let pageBytesMax = 64 * 1024
  package static let jsonDepthMax = 32
  package static let subscriptionsMax = 1_024
  /// Beyond this many unanswered requests the socket is not read.
  package static let inFlightMax = 64
  package static let commandsPerSecond = 20
  package static let commandsBurst = 100
  /// Bots have their own: a person acts by hand, a bot tells of all that another program does. One that says once a
  /// second how far it is with as many posts as a connection may have in hand (`ephemeralsPerConnectionMax`) is at its
  /// rate, and some 50 µs a command make that a quarter of a hundredth of the ledger.
  package static let botCommandsPerSecond = 50
  /// Four seconds of it: two full batches at once, as when a bot brings what it has missed.
  package static let botCommandsBurst = 200
  /// From so much CPU time on a request counts as one for every two milliseconds: nearly all take less than a tenth of
  /// one. Who sends nothing else so takes a twenty-fifth of a thread.
  package static let dearMilliseconds = 10
  package static let millisecondsPerRequest = 2
  /// A command counts as one request for every ten streams that it writes to, because all who are there hear of it.
  package static let streamsPerRequest = 10
  package static let hellosPerMinute = 60
  /// Questions about what was, and searches. One may look through 5 000 events, some 50 ms of a reader, or the words
  /// of 250 000 posts, some 100 ms: so one person takes a fifth of one reader at most, and has the pages of a long
  /// list at once.
  package static let historyPerMinute = 120
  package static let historyBurst = 60
  /// One of them is meant to take so long; a longer one counts as several when it is answered.
  package static let millisecondsPerLook = 50
  /// Pages of an export. One reads some 64 KiB, a few milliseconds of a reader: so one person has 15 MB a minute and
  /// takes some hundredths of one reader, and their searches wait for none of it.
  package static let exportPagesPerMinute = 240
  package static let exportPagesBurst = 60
  /// A batch has so many commands, as many as may be sent at once (Todoist has the same).
  package static let batchCommandsMax = 100
  /// All events of a batch have so many ops together. The most that one command writes, a category for a full
  /// group, is half of it: so no batch holds up others much longer than a command may.
  package static let batchOpsMax = 2_000
  /// The rate of a user for things that hold for a moment: a typing person renews every few seconds, a bot says
  /// how far it is.
  package static let ephemeralsPerSecond = 5
  package static let ephemeralsBurst = 20
  /// One connection holds so many of them at a time: a bot with as many posts in hand.
  package static let ephemeralsPerConnectionMax = 50
  /// So many of one kind are listed in one stream; more are counted only, for nobody reads so many names.
  package static let ephemeralsListedMax = 50
  /// The words of a bot about its work, beside a title in one row.
  package static let progressScalarsMax = 120

  /// Todoist's, all three.
  package static let tagScalarsMax = 60
  package static let tagsPerCategoryMax = 500
  package static let tagsPerPostMax = 100
  /// The name of a source, as another program is called; the longest ids that such programs give, and the
  /// longest address that browsers take.
  package static let sourceNameScalarsMax = 60
  package static let sourceIDScalarsMax = 200
  package static let sourceURLScalarsMax = 2_000
  /// Shorter, and its holder would do nothing but renew it; longer, and a post is lost for a week.
  package static let claimMillisecondsMin = 1_000
  package static let claimMillisecondsMax = 7 * 24 * 3_600_000
  /// So many posts that may be the next one are told to who asks for it, of so many that are looked at: a
  /// millisecond, in which the ledger does nothing else.
  package static let queueMax = 64
  package static let queueLookedAtMax = 2_000
  /// So long somebody is on a post who does not say how long.
  package static let claimMilliseconds = 3_600_000
  /// A page of a notebook; every device of the person holds all of them.
  package static let personalNoteScalarsMax = 2_000
  /// The private notes of a person have so much together: a book of them.
  package static let personalNotesScalarsMax = 100_000
  /// A person may say something to themselves of so many posts: with notes a megabyte of state.
  package static let personalPostsMax = 2_000
  package static let remindersPerPostMax = 10
  /// Todoist's.
  package static let remindersPerUserMax = 700
  /// Four weeks.
  package static let reminderMinutesMax = 40_320
  /// A day.
  package static let planMinutesMax = 1_440
  /// A person has so many default reminders, for all posts that are due.
  package static let defaultRemindersMax = 5
  /// A month.
  package static let dueSoonHoursMax = 720

  /// A post has so many assignees: of more, nobody would feel meant.
  package static let assigneesPerPostMax = 50
  /// Own parts that are completed: a post with all of them is 45 KiB, and each of their events keeps it as it was.
  package static let partsPerPostMax = 500

  package static let postsOpenPerCategoryMax = 10_000
  /// So many completed posts stay in a category's state; older ones are found by query.
  package static let completedInStateMax = 500
  package static let membersPerCategoryMax = 1_000
  package static let membersPerGroupMax = 500
  package static let categoriesPerGroupMax = 100
  package static let categoriesPerUserMax = 500
  package static let groupsPerUserMax = 50
  /// That everybody begins with, as the operator says.
  package static let firstListsMax = 10
  /// So many removed ones are left out where categories and groups are counted: nobody is kept from
  /// beginning anew by what is in the bin. With them a person is still in fewer places than one command may
  /// touch (another name is told to all of them).
  package static let removedCategoriesUncountedMax = 100
  package static let removedGroupsUncountedMax = 20
  package static let pendingInvitationsPerUserMax = 30
  /// Waiting in one inbox: so that nobody fills the state of another.
  /// From one person to another on one day (UTC), whatever became of them: nobody has so many places that they want
  /// one person in at once, and each of them is a line on that person's screen.
  package static let invitationsToOnePerDay = 20
  package static let pendingInvitationsReceivedMax = 200
  /// So long a personal invitation waits for an answer.
  package static let invitationDays = 14
  /// A declined invitation may be repeated once.
  package static let declinesMax = 2
  /// So many that waited too long are taken out with a new one.
  package static let expiredAtOnceMax = 50
  /// Everybody whom one has had enough of, in one's own state.
  package static let blocksMax = 200
  /// Invitations by code of one category or group that still let somebody in: every member holds them.
  package static let codesPerPlaceMax = 20
  /// A code may be used so often, as many times as a category has members.
  package static let codeUsesMax = 1_000
  package static let codeDaysMax = 90
  /// So long a code lets people in when nothing else is said.
  package static let codeDays = 14
  /// Links of one category that show it: every member holds them.
  package static let linksPerCategoryMax = 20
  /// A year: who subscribes to a calendar does not want to do so again every quarter.
  package static let linkDaysMax = 366
  package static let linkDays = 14
  /// Connections by one link: a class and more. Each loop counts its own.
  package static let linkConnectionsMax = 100
  /// By one link: so many come at once, and once more.
  package static let linkHellosPerMinute = 200
  /// Calendar programs ask every few minutes at most, each device for itself.
  package static let calendarsPerMinute = 60
  /// Posts and next times of posts that one calendar shows: more than anybody looks at.
  package static let calendarEntriesMax = 1_000
  /// Made in memory at once, and held until it is taken.
  package static let calendarBytesMax = 1 << 20
  /// Next times of what comes again are told so far ahead: two months.
  package static let calendarDaysAhead = 62
  /// The notes of a calendar entry: calendar programs show a few lines.
  package static let calendarNotesScalarsMax = 1_000
  /// Longer than any code, with every hyphen and blank that somebody may type.
  package static let codeBytesMax = 256
  /// A try of a code counts so much against the rates: of 128 bits nobody guesses one, and nobody shall keep
  /// the ledger busy by trying.
  package static let codeTryCost = 10
  package static let sessionsPerUserMax = 32
  /// A command touches at most so many streams: a full group with all its categories and members.
  package static let streamsPerCommandMax = 700
  package static let noticesInStateMax = 200
  /// The reminders that somebody asked for and was told, one of each post: as many as of those that others
  /// cause, and none of these makes room for the others.
  package static let remindersInStateMax = 200
  package static let notificationsPageMax = 200
  package static let listPageMax = 200
  /// So long a list takes back what somebody took from it to a list of others: as long as the bin keeps what was
  /// removed.
  package static let takeBackDays = 30
  /// A search has so many scalars: somebody types it into one line.
  package static let searchScalarsMax = 200
  /// More than these is all of one's lists as well.
  package static let searchStreamsMax = 100
  /// A screen; what was found comes whole.
  package static let searchPageMax = 50
  /// Places of words that are told of one text.
  package static let searchMarksMax = 32
  /// A screen, as of a search.
  package static let viewPageMax = 50
  /// More than a menu has; a person's state holds all of them.
  package static let filtersMax = 100
  package static let filterScalarsMax = 60
  /// Ten years before and after the day on which somebody looks.
  package static let filterDaysMax = 3_660
  /// A hundred years that a copy's due is moved.
  package static let copyDaysMax = 36_600
  /// A month with the weeks that it begins and ends in, or two months.
  package static let agendaDaysMax = 62
  /// So many months are looked at for the next day of a rule, and a rule without a day in them never fires: 41 years. A
  /// 29 February on a Monday comes after 28, and after 40 when a century without leap day lies between. Some 20 µs.
  package static let recurrenceMonthsMax = 41 * 12
  /// Three months, of which `stats.get` makes one table.
  package static let statsDaysMax = 92
  /// An undo takes back at most so many events, and so many posts: the ledger does nothing else meanwhile.
  package static let undoEventsMax = 200
  package static let undoPostsMax = 500
  /// One undo reads so much of the log, beyond its first event.
  package static let undoBytesMax = 4 * 1024 * 1024
  /// One question to the store reads so many of the events that an undo took back.
  package static let undoEventsAtOnce = 16
  /// Counted up to here, then `100+`.
  package static let unreadCountMax = 100
  /// The same, then `1000+`: what is one's own to do in a list.
  package static let workCountMax = 1_000

  /// The number of requests as which one counts that took so many nanoseconds of CPU time and wrote to so many
  /// streams.
  package static func requests(taking nanoseconds: Int64, streams: Int = 0) -> Int {
    let milliseconds = Int(nanoseconds / 1_000_000)
    let timed = milliseconds < dearMilliseconds ? 1 : milliseconds / millisecondsPerRequest
    return max(timed, streams / streamsPerRequest)
  }
}
