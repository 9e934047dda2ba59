/// Every maximum that a person or a program can run into, with its reason. Clients get them in `hello.limits`, by the
/// names in Wire/Answers/ToldLimit.swift (protocol §13). The rates of signing in are in
/// Server/Authentication/SignInLimits.
///
/// Texts are counted in Unicode scalars after normalisation to NFC.
package enum Limits {
  /// The length of a title. It fits one screen of a terminal; Todoist has the same.
  package static let titleScalarsMax = 500
  /// The length of a post's notes: a long page. Todoist has 16 383.
  package static let notesScalarsMax = 16_384
  package static let nameScalarsMax = 120
  /// The number of steps of a post: more than one screen. Google Tasks has 2 000.
  package static let stepsPerPostMax = 200
  /// The length of a step, which is a line, as a title is.
  package static let stepScalarsMax = 500
  /// The length of all steps of a post together. A post with the longest notes and these has some 170 KiB, so every
  /// event that carries it whole is below `eventBytesMax`, whatever else stands in it.
  package static let stepsScalarsMax = 16_384
  package static let locationScalarsMax = 120
  /// The length of a locale. RFC 5646 §4.4.1: tags in use are shorter.
  package static let localeBytesMax = 35
  /// The length of the name that a client gives itself.
  package static let clientScalarsMax = 120
  package static let usernameCharacters = 3...32
  /// The length of a password. It is long enough to be worth hashing, and short enough to be hashed quickly before
  /// scrypt.
  package static let passwordBytes = 8...256
  /// The length of a command's key. A UUID with a prefix fits twice.
  package static let commandKeyCharactersMax = 64
  /// The number of combining marks on one grapheme. A base letter with more marks than any script needs is an attack on
  /// the screen.
  package static let combiningMarksPerGraphemeMax = 8

  /// The length of a post's position in its list. It suffices for some 250 moves into one gap, one after the other
  /// (`Position`).
  package static let positionCharactersMax = 64
  /// The number of other lists that a post may have been in: erasing its text looks at each.
  package static let listsPerPostMax = 50
  /// The number of posts around a full gap that are moved together with the one that is to go there.
  package static let postsSpreadMax = 64

  /// The bytes stored of one person: what they say to themselves, and the lists that they own with everything that ever
  /// happened there. A family makes some megabytes a year.
  package static let storedBytesMax = 2 << 30
  /// The bytes stored of a group and its lists. It is more, because many people and bots work there.
  package static let groupStoredBytesMax = 8 << 30
  /// The bytes that one person or one bot writes in a day: 200 000 short posts, or 16 000 with the longest notes.
  package static let bytesPerDay = 256 << 20
  /// The bytes that all together write in a day in the lists of one owner, or of one group.
  package static let ownerBytesPerDay = 1 << 30
  /// The bytes of a list's state. Every member's devices hold all of it. It suffices for ten thousand open posts of a
  /// page each.
  package static let listBytesMax = 48 << 20

  package static let messageBytesMax = 256 * 1024
  /// The bytes of an event's body: a message with room for what stands around it in a push, a tail or a page of
  /// history.
  package static let eventBytesMax = messageBytesMax - 4 * 1024
  /// The bytes of the old values that are kept beside an event: every object that the event changed, as it was before.
  /// An undo that takes the longest texts of five hundred posts back to short ones would need twice as much, and nobody
  /// could read it again.
  package static let beforeBytesMax = 64 * eventBytesMax
  /// The bytes of a page of a snapshot or of a tail: small enough to share a socket fairly.
  package static let pageBytesMax = 64 * 1024
  package static let jsonDepthMax = 32
  package static let subscriptionsMax = 1_024
  /// The number of unanswered requests beyond which the socket is not read.
  package static let inFlightMax = 64
  package static let commandsPerSecond = 20
  package static let commandsBurst = 100
  /// The rate of a bot's commands. A person acts by hand; a bot tells everything that another program does. A bot that
  /// says once a second how far it is with as many posts as a connection may have in hand
  /// (`ephemeralsPerConnectionMax`) is at its rate. At some 50 µs a command, that is a quarter of a hundredth of the
  /// ledger.
  package static let botCommandsPerSecond = 50
  /// Four seconds of the rate: two full batches at once, as when a bot brings what it has missed.
  package static let botCommandsBurst = 200
  /// The CPU time of a request from which on it counts as one request for every two milliseconds. Nearly all requests
  /// take less than a tenth of a millisecond. A person who sends nothing but dear ones takes a twenty-fifth of a
  /// thread.
  package static let dearMilliseconds = 10
  package static let millisecondsPerRequest = 2
  /// The number of streams that count as one request of a command which writes to many, because everybody there hears
  /// of it.
  package static let streamsPerRequest = 10
  package static let hellosPerMinute = 60
  /// The number of questions about the past, and of searches. One may look through 5 000 events, some 50 ms of a
  /// reader, or the words of 250 000 posts, some 100 ms. So one person takes a fifth of one reader at most, and still
  /// gets the pages of a long list at once.
  package static let historyPerMinute = 120
  package static let historyBurst = 60
  /// The time that one such question should take. A longer one counts as several when it is answered.
  package static let millisecondsPerLook = 50
  /// The number of pages of an export. One reads some 64 KiB, a few milliseconds of a reader. So one person gets 15 MB
  /// a minute and takes some hundredths of one reader, and searches of theirs need not wait for it.
  package static let exportPagesPerMinute = 240
  package static let exportPagesBurst = 60
  /// The number of commands in a batch: as many as may be sent at once. Todoist has the same.
  package static let batchCommandsMax = 100
  /// The number of ops of all events of a batch together. The most that one command writes, a category for a full
  /// group, is half of it. So no batch holds up others much longer than a command may.
  package static let batchOpsMax = 2_000
  /// The rate of a user for things that hold for a moment. A typing person renews every few seconds, and a bot says how
  /// far it is.
  package static let ephemeralsPerSecond = 5
  package static let ephemeralsBurst = 20
  /// The number of such things that one connection holds at a time: a bot may have as many posts in hand.
  package static let ephemeralsPerConnectionMax = 50
  /// The number of such things of one kind that are listed in one stream. More are only counted, for nobody reads so
  /// many names.
  package static let ephemeralsListedMax = 50
  /// The length of a bot's words about its work, which stand beside a title in one row.
  package static let progressScalarsMax = 120

  /// The limits of tags, as in Todoist.
  package static let tagScalarsMax = 60
  package static let tagsPerCategoryMax = 500
  package static let tagsPerPostMax = 100
  /// The lengths for a source: the name of another program, the longest id that such programs give, and the longest
  /// address that browsers accept.
  package static let sourceNameScalarsMax = 60
  package static let sourceIDScalarsMax = 200
  package static let sourceURLScalarsMax = 2_000
  /// The shortest and longest time of a claim. With a shorter one its holder would do nothing but renew it; with a
  /// longer one a post is lost for a week.
  package static let claimMillisecondsMin = 1_000
  package static let claimMillisecondsMax = 7 * 24 * 3_600_000
  /// The number of posts that are offered to a person who asks for the next one, and the number that are looked at for
  /// it. Looking takes a millisecond, in which the ledger does nothing else.
  package static let queueMax = 64
  package static let queueLookedAtMax = 2_000
  /// The time of a claim when nobody says how long.
  package static let claimMilliseconds = 3_600_000
  /// The shortest and longest time without a word after which a run is lost, and the time when nobody says how long.
  /// With a shorter one a busy machine would lose runs that go on. A week is for scripts that say only how they ended.
  package static let runLeaseMillisecondsMin = 20_000
  package static let runLeaseMillisecondsMax = 7 * 24 * 3_600_000
  package static let runLeaseMilliseconds = 10 * 60_000
  /// The length of a phase and of the word about the end: a line of a screen, and a sentence or two.
  package static let runPhaseScalarsMax = 120
  package static let runTextScalarsMax = 500
  /// The length of a private note: a page of a notebook. Every device of the person holds all of them.
  package static let personalNoteScalarsMax = 2_000
  /// The length of all private notes of a person together: a book of them.
  package static let personalNotesScalarsMax = 100_000
  /// The number of posts of which a person may say something to themselves. With notes that is a megabyte of state.
  package static let personalPostsMax = 2_000
  package static let remindersPerPostMax = 10
  /// The number of reminders of one person, as in Todoist.
  package static let remindersPerUserMax = 700
  /// The longest time of a reminder before its due: four weeks.
  package static let reminderMinutesMax = 40_320
  /// The longest time that is planned for a post: a day.
  package static let planMinutesMax = 1_440
  /// The number of a person's default reminders, for all posts that are due.
  package static let defaultRemindersMax = 5
  /// The longest time for `due_soon` to be told ahead: a month.
  package static let dueSoonHoursMax = 720

  /// The number of assignees of a post. With more of them, nobody would feel meant.
  package static let assigneesPerPostMax = 50
  /// The number of completed parts of a post. A post with all of them has 45 KiB, and each of their events keeps it as
  /// it was.
  package static let partsPerPostMax = 500
  /// The number of people who say something in the contest of a post. With as many, and with all parts, an event that
  /// carries the post whole is below `eventBytesMax`.
  package static let entriesPerPostMax = 200
  /// The highest amount in a contest: the highest whole number that every JSON reader can read.
  package static let amountMax: Int64 = 9_007_199_254_740_991
  /// The longest unit of a goal, in Unicode scalars.
  package static let unitScalarsMax = 20

  /// The number of people who may react to one event, and of different signs among them. More signs would fit on no
  /// line.
  package static let reactionsPerEventMax = 500
  package static let reactionSignsPerEventMax = 8
  /// The scalars of a sign: a family of four with a colour of skin each has eleven.
  package static let reactionScalarsMax = 16

  /// The length of a line of talk, as in Todoist.
  package static let lineScalarsMax = 15_000
  /// The number of lines of talk that one person says or changes in a minute: one every two seconds, and as many at
  /// once. Nobody reads faster.
  package static let linesPerMinute = 30
  /// The number of lines of talk that one bot says or changes in a minute. A bot may tell what another program does.
  package static let botLinesPerMinute = 300
  /// The number of lines of talk that stay in the state of a category or group: some screens. The log has the others.
  package static let linesInStateMax = 200
  /// The bytes of text of these lines together. Every member's devices hold them.
  package static let linesInStateBytesMax = 256 * 1024
  /// The number of words of a line that are looked at for mentions. Each may ask the store for a name and a member.
  package static let mentionsPerLineMax = 50
  /// The number of posts whose comments are counted in the state of a category: those that were commented on last.
  package static let commentsInStateMax = 1000

  package static let postsOpenPerCategoryMax = 10_000
  /// The number of completed posts that stay in a category's state. Older ones are found by query.
  package static let completedInStateMax = 500
  package static let membersPerCategoryMax = 1_000
  package static let membersPerGroupMax = 500
  package static let categoriesPerGroupMax = 100
  package static let categoriesPerUserMax = 500
  package static let groupsPerUserMax = 50
  /// The number of lists that everybody begins with, as the operator has set them.
  package static let firstListsMax = 10
  /// The number of removed categories and groups that do not count: nobody is kept from beginning anew by what is in
  /// the bin. Even with them a person is in fewer places than one command may touch (another name is told to all of
  /// them).
  package static let removedCategoriesUncountedMax = 100
  package static let removedGroupsUncountedMax = 20
  package static let pendingInvitationsPerUserMax = 30
  /// The number of invitations from one person to another on one day (UTC), whatever became of them. Nobody has so many
  /// places that they want one person in at once, and each invitation is a line on that person's screen.
  package static let invitationsToOnePerDay = 20
  /// The number of invitations that wait in one inbox, so that nobody fills the state of another.
  package static let pendingInvitationsReceivedMax = 200
  /// The number of days that a personal invitation waits for an answer.
  package static let invitationDays = 14
  /// The number of declines after which an invitation may not be repeated: a declined one may be repeated once.
  package static let declinesMax = 2
  /// The number of invitations whose time is over that are taken out along with a new one.
  package static let expiredAtOnceMax = 50
  /// The number of people whom one person blocks. They stand in that person's own state.
  package static let blocksMax = 200
  /// The number of lists, groups, people and bots of which one person has chosen how much they are told. All stand in
  /// one object.
  package static let levelsMax = 200
  /// The number of codes of one category or group that still let somebody in. Every member holds them.
  package static let codesPerPlaceMax = 20
  /// The number of times that a code may be used: as many as a category has members.
  package static let codeUsesMax = 1_000
  package static let codeDaysMax = 90
  /// The number of days that a code lets people in when nothing else is said.
  package static let codeDays = 14
  /// The number of links that show one category. Every member holds them.
  package static let linksPerCategoryMax = 20
  /// The longest life of a link: a year. A person who subscribes to a calendar does not want to do so again every
  /// quarter.
  package static let linkDaysMax = 366
  package static let linkDays = 14
  /// The number of connections by one link: a class and more. Each loop counts its own.
  package static let linkConnectionsMax = 100
  /// The number of hellos by one link in a minute: as many connections as may be there come at once, and once more.
  package static let linkHellosPerMinute = 200
  /// The number of calendars in a minute. Calendar programs ask every few minutes at most, each device for itself.
  package static let calendarsPerMinute = 60
  /// The number of posts and next times of posts that one calendar shows: more than anybody looks at.
  package static let calendarEntriesMax = 1_000
  /// The bytes of a calendar. It is made in memory at once, and held until the program has read it.
  package static let calendarBytesMax = 1 << 20
  /// The number of days ahead for which the next times of a post are told: two months.
  package static let calendarDaysAhead = 62
  /// The length of the notes in a calendar entry: calendar programs show a few lines.
  package static let calendarNotesScalarsMax = 1_000
  /// The bytes of a code as it is typed: longer than any code, with every hyphen and blank that somebody may add.
  package static let codeBytesMax = 256
  /// The number of requests that a try of a code counts as. Nobody guesses 128 bits, and nobody shall keep the ledger
  /// busy by trying.
  package static let codeTryCost = 10
  package static let sessionsPerUserMax = 32
  /// The number of bots that one person owns.
  package static let botsPerPersonMax = 10
  /// The days after which a bot's account ends whose owner has ended it. Its tokens end at once.
  package static let botEndDays = 7
  /// The number of tokens of one bot: one for each machine that it runs on, and some that replace others.
  package static let tokensPerBotMax = 10
  package static let tokenListsMax = 20
  package static let tokenMethodsMax = 50
  /// The longest life of a token: a year. Nobody wants to be asked by a nightly build more often.
  package static let tokenDaysMax = 366
  package static let webhooksPerBotMax = 5
  /// The streams that one webhook follows at most. How far each has come is written with every delivery.
  package static let webhookStreamsMax = 100
  package static let webhookAddressBytesMax = 2_048
  /// The tries of a webhook that its owner can look at.
  package static let webhookTriesKept = 10
  /// The hours for which a webhook tries again before it is paused.
  package static let webhookHoursMax = 24
  /// The most events of one delivery, and the most bytes of them. An event may be longer alone.
  package static let webhookEventsMax = 100
  package static let webhookBytesMax = 128 * 1024
  /// The number of streams that a command touches at most: a full group with all its categories and members.
  package static let streamsPerCommandMax = 700
  package static let noticesInStateMax = 200
  /// The number of told reminders that stay in a person's state, one for each post. They are reminders that the person
  /// asked for, as many as notices that others cause, and neither makes room for the other.
  package static let remindersInStateMax = 200
  /// The number of events whose reactions stay in a category's state.
  package static let reactionsInStateMax = 200
  package static let notificationsPageMax = 200
  package static let listPageMax = 200
  /// The number of days in which a list takes back a post that somebody moved from it to a list of others: as long as
  /// the bin keeps removed posts.
  package static let takeBackDays = 30
  /// The length of a search: somebody types it into one line.
  package static let searchScalarsMax = 200
  /// The number of lists that a search names. Whoever wants more can as well search all of their lists.
  package static let searchStreamsMax = 100
  /// The number of hits on a page: a screen. Each hit comes whole.
  package static let searchPageMax = 50
  /// The number of places of found words that are told of one text.
  package static let searchMarksMax = 32
  /// The number of posts on a page of a view: a screen, as in a search.
  package static let viewPageMax = 50
  /// The number of a person's filters: more than a menu has. The person's state holds all of them.
  package static let filtersMax = 100
  package static let filterScalarsMax = 60
  /// The number of days that a filter looks ahead or back: ten years.
  package static let filterDaysMax = 3_660
  /// The number of days that a copy's due is moved: a hundred years.
  package static let copyDaysMax = 36_600
  /// The number of days of an agenda: a month with the weeks that it begins and ends in, or two months.
  package static let agendaDaysMax = 62
  /// The number of months that are searched for the next day of a rule: 41 years. A rule without a day in them never
  /// fires. A 29 February on a Monday comes after 28 years, and after 40 when a century without leap day lies between.
  /// The search takes some 20 µs.
  package static let recurrenceMonthsMax = 41 * 12
  /// The number of days in the table that `stats.get` makes: ten years, so that a decade is one question. The rows that
  /// it counts are limited apart from that.
  package static let statsDaysMax = 3_660
  /// The number of days up to which `stats.get` also counts what was added: three months. The log is read for it.
  package static let statsAddedDaysMax = 92
  /// The number of events, and of posts, that one undo takes back. The ledger does nothing else meanwhile.
  package static let undoEventsMax = 200
  package static let undoPostsMax = 500
  /// The bytes of the log that one undo reads beyond its first event.
  package static let undoBytesMax = 4 * 1024 * 1024
  /// The number of events, of those that an undo took back, that one question to the store reads.
  package static let undoEventsAtOnce = 16
  /// The number up to which notifications are counted; beyond it `100+` is shown.
  package static let unreadCountMax = 100
  /// The number up to which a person's own work in a list is counted; beyond it `1000+` is shown.
  package static let workCountMax = 1_000

  /// Returns the number of requests that a request counts as, by the CPU time in nanoseconds that it took and the
  /// number of streams that it wrote to.
  package static func requests(taking nanoseconds: Int64, streams: Int = 0) -> Int {
    let milliseconds = Int(nanoseconds / 1_000_000)
    let timed = milliseconds < dearMilliseconds ? 1 : milliseconds / millisecondsPerRequest
    return max(timed, streams / streamsPerRequest)
  }
}
