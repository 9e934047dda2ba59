import Domain

/// An action on one's own account: the profile, the devices, the settings, the way in and the end.
enum AccountAction: Equatable {
  case profile
  case editProfile(ProfileEdit)
  case settings(SettingsWish)
  /// Shows the chosen levels.
  case levels
  case level(LevelWish)
  /// Marks as read what is new, everywhere or in one list or group.
  case markRead(Reference?)
  case sessions
  case closeSession(Int)
  case password
  /// Makes a code that signs in another device of one's own.
  case pair
  /// Gives a guest a username to keep, with a code where registration needs one. Without it the code is asked for.
  case upgrade(String, code: String? = nil)
  /// Writes all that is one's own into a new file.
  case export(String)
  /// Shows the account, and when it ends.
  case show
  /// Ends the account. The username is repeated, so that nobody does it by accident.
  case delete(String)
  /// Keeps an account that was going to end.
  case keep
}
