import Testing

/// How a language says the pieces of which the test makes its phrases.
struct PhraseWords: Sendable, CustomTestStringConvertible {
  struct Part: Sendable {
    /// Behind a day.
    let behind: String
    /// Today in that part of it.
    let today: String?
    /// Hours of the day, all of which a clock of twelve hours shows in this part only.
    let hours: ClosedRange<Int>
  }

  let locale: String
  let weekdays: [String]
  let months: [String]
  let tomorrow: [String]
  let dayAfterTomorrow: [String]
  /// "#": the number.
  let daysLater: String
  let weeksLater: String
  /// "*": the weekday.
  let weekdayOfNextWeek: [String]
  let firstOfMonth: String
  let dates: [String]
  let times: [String]
  /// An hour of twelve.
  let hours: [String]
  let parts: [Part]
  let rules: [(text: String, rule: String)]
  let everyWeekday: String
  let starting: [String]
  /// Makes something else of the day behind them, or before them.
  let before: [String]
  let behind: [String]
  let joiners: [String]
  /// Months without their day; "NAME": the month.
  let vagueMonths: [String]
  /// Days and weeks of which nothing is made.
  let occasions: [String]
  /// Makes another day of the weekday before them.
  let behindWeekday: [String]
  /// Two hours behind a day, or one that is not read.
  let hoursBehindDay: [String]
  let unreadRules: [String]

  var testDescription: String { locale }

  func inDays(_ days: Int) -> String { daysLater.replacing("#", with: "\(days)") }
  func inWeeks(_ weeks: Int) -> String { weeksLater.replacing("#", with: "\(weeks)") }

  static let all = [english, german, french, spanish]

  static let english = PhraseWords(
    locale: "en",
    weekdays: ["monday", "tue", "Wed", "thursday", "fri", "Saturday", "sunday"],
    months: [
      "january", "feb", "march", "apr", "May", "june", "jul", "August", "sept", "Oct", "nov",
      "december",
    ],
    tomorrow: ["tomorrow", "tmr", "by tomorrow"],
    dayAfterTomorrow: ["day after tomorrow", "the day after tomorrow"], daysLater: "in # days",
    weeksLater: "in # weeks", weekdayOfNextWeek: ["next *", "next week *", "* next week"],
    firstOfMonth: "first * of NAME",
    dates: [
      "YYYY-MM-DD", "DD.MM.YYYY", "D NAME YYYY", "NAME D, YYYY", "D NAME", "by NAME D",
      "the D NAME YYYY",
    ],
    times: ["HH:MM", "at HH:MM", "at HH", "by HH:MM"], hours: ["at HH", "at HH o'clock"],
    parts: [
      Part(behind: "evening", today: "this evening", hours: 17...23),
      Part(behind: "in the evening", today: "tonight", hours: 18...23),
      Part(behind: "afternoon", today: "this afternoon", hours: 13...18),
      Part(behind: "morning", today: "this morning", hours: 6...11),
      Part(behind: "night", today: nil, hours: 19...23),
    ],
    rules: [
      ("every day", "FREQ=DAILY"), ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"),
      ("every mon and thu", "FREQ=WEEKLY;BYDAY=MO,TH"), ("daily", "FREQ=DAILY"),
      ("mondays", "FREQ=WEEKLY;BYDAY=MO"), ("every last fri", "FREQ=MONTHLY;BYDAY=-1FR"),
      ("on weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ],
    everyWeekday: "every *", starting: ["starting", "from", "beginning"],
    before: [
      "after", "before", "a day before", "2 days after", "last", "until", "since", "from",
      "two weeks from", "about", "not", "the week of", "minutes of", "to", "between", "half past",
      "end of", "early",
    ],
    behind: [
      "week", "ago", "or so on monday", "utc", "weekend", "2 weeks", "30 minutes", "at half past 8",
      "9-5", "5/6", "until 18:00", "but not at 9", "after 5", "to friday", "except mondays", "eod",
    ],
    joiners: ["or", "and", "to", "-", "until", "but not", "–"],
    vagueMonths: [
      "in NAME", "early NAME", "mid-NAME", "second of NAME", "the seventh of NAME", "7/8 NAME",
      "by the end of NAME",
    ],
    occasions: [
      "christmas", "christmas eve", "new year's eve", "easter", "the week before christmas",
      "the day before the exam", "in spring", "in the new year",
    ],
    behindWeekday: [
      "after easter", "following easter", "after the exam", "the seventh", "the first", "seven",
      "week 50",
    ],
    hoursBehindDay: [
      "8 to 10", "8 or 10", "18.00", "24:00", "1800", "seven pm", "eight thirty",
      "at half eight",
    ],
    unreadRules: [
      "every first of the month", "every christmas", "every january", "every winter", "biweekly",
      "fortnightly", "all mondays", "twice a day", "every other monday of may",
    ])

  static let german = PhraseWords(
    locale: "de",
    weekdays: ["Montag", "Di", "Mittwoch", "Donnerstag", "Fr", "Samstag", "sonntag"],
    months: [
      "Januar", "Feb", "März", "April", "Mai", "juni", "Jul", "August", "Sept", "Oktober", "nov",
      "Dezember",
    ],
    tomorrow: ["morgen"],
    dayAfterTomorrow: ["übermorgen", "über morgen", "uebermorgen"],
    daysLater: "in # Tagen", weeksLater: "in # Wochen",
    weekdayOfNextWeek: ["nächsten *", "nächste Woche *", "* nächster Woche", "* nächste Woche"],
    firstOfMonth: "am ersten * im NAME",
    dates: [
      "YYYY-MM-DD", "DD.MM.YYYY", "D.M.YYYY", "D.M.", "am D. NAME", "D. NAME YYYY", "am D. M. YYYY",
    ],
    times: ["HH:MM", "um HH:MM", "um HH:MM Uhr", "HH Uhr", "um HH", "HH:MM Uhr"],
    hours: ["um HH", "um HH Uhr", "HH Uhr"],
    parts: [
      Part(behind: "Abend", today: "heute Abend", hours: 17...23),
      Part(behind: "abends", today: nil, hours: 17...23),
      Part(behind: "Nachmittag", today: "heute Nachmittag", hours: 13...18),
      Part(behind: "Vormittag", today: "heute Vormittag", hours: 7...11),
      Part(behind: "früh", today: "heute früh", hours: 5...11),
    ],
    rules: [
      ("jeden Tag", "FREQ=DAILY"), ("alle 2 Wochen", "FREQ=WEEKLY;INTERVAL=2"),
      ("jeden Mo und Do", "FREQ=WEEKLY;BYDAY=MO,TH"), ("täglich", "FREQ=DAILY"),
      ("montags", "FREQ=WEEKLY;BYDAY=MO"),
      ("jeden zweiten Dienstag", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
      ("werktags", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ],
    everyWeekday: "jeden *", starting: ["ab", "beginnend"],
    before: [
      "nach", "vor", "einen Tag vor", "2 Tage nach", "letzten", "seit", "ab", "vom 7. bis", "von",
      "nicht", "zwischen", "Ende", "halb 8", "Viertel vor 9", "außer", "übernächsten",
    ],
    behind: [
      "vor 9", "oder so am Montag", "MEZ", "Wochenende", "2 Wochen", "30 Minuten", "um halb 8",
      "9-17 Uhr", "bis Freitag 18 Uhr", "aber nicht um 9", "nach 17 Uhr", "von 9 bis 17 Uhr",
      "halb 9",
    ],
    joiners: ["oder", "und", "bis", "-", "–", "aber nicht"],
    vagueMonths: [
      "im NAME", "Anfang NAME", "Mitte NAME", "am siebten NAME", "7./8. NAME", "zweite NAME",
    ],
    occasions: [
      "Weihnachten", "Heiligabend", "Silvester", "Ostermontag", "1. Advent", "am Tag vor Ostern",
      "am Tag vor der Prüfung", "im Sommer", "im neuen Jahr",
    ],
    behindWeekday: [
      "nach Ostern", "nach der Prüfung", "den siebten", "der erste", "sieben", "KW50",
      "der zweiten Januarwoche",
    ],
    hoursBehindDay: [
      "8 bis 10", "8 oder 10", "9.10", "24:00", "1800", "sieben Uhr", "um halb acht",
    ],
    unreadRules: [
      "jeden Ersten des Monats", "jedes Weihnachten", "jeden Januar", "jeden Winter",
      "vierteljährlich", "zweimal am Tag", "alle acht Tage", "alle 8 Tage",
    ])

  static let french = PhraseWords(
    locale: "fr",
    weekdays: ["lundi", "mardi", "Mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    months: [
      "janvier", "févr.", "mars", "avril", "mai", "juin", "juil.", "août", "sept", "Octobre",
      "nov", "décembre",
    ].map { $0 == "nov" ? "novembre" : $0 },
    tomorrow: ["demain", "pour demain"], dayAfterTomorrow: ["après-demain", "après demain"],
    daysLater: "dans # jours", weeksLater: "dans # semaines",
    weekdayOfNextWeek: ["* de la semaine prochaine", "la semaine prochaine *"],
    firstOfMonth: "le premier * de NAME",
    dates: [
      "YYYY-MM-DD", "DD/MM/YYYY", "DD.MM.YYYY", "le D/M", "le D NAME", "D NAME YYYY", "D NAME",
    ],
    times: ["HH:MM", "à HH:MM", "HHhMM", "à HHh", "à HH h MM", "à HH heures"],
    hours: ["à HHh", "à HH heures"],
    parts: [
      Part(behind: "soir", today: "ce soir", hours: 17...23),
      Part(behind: "après-midi", today: "cet après-midi", hours: 13...18),
      Part(behind: "matin", today: "ce matin", hours: 5...11),
    ],
    rules: [
      ("tous les jours", "FREQ=DAILY"), ("toutes les deux semaines", "FREQ=WEEKLY;INTERVAL=2"),
      ("chaque lundi et jeudi", "FREQ=WEEKLY;BYDAY=MO,TH"), ("les lundis", "FREQ=WEEKLY;BYDAY=MO"),
      ("tous les jours ouvrés", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ],
    everyWeekday: "chaque *", starting: ["à partir de", "dès"],
    before: [
      "un jour avant", "2 jours après", "depuis", "jusqu'à", "de", "du 7 au", "pas",
      "entre", "fin", "vers", "la veille de", "sauf",
    ],
    behind: [
      "dernier", "ou lundi", "utc", "week-end", "2 semaines", "30 minutes", "de 9h à 17h", "9h-17h",
      "jusqu'à 18h", "mais pas à 9h", "après 17h", "à huit heures",
    ],
    joiners: ["ou", "et", "à", "-", "–", "jusqu'à", "mais pas"],
    vagueMonths: [
      "en NAME", "début NAME", "mi-NAME", "le sept NAME", "7/8 NAME", "fin NAME",
    ],
    occasions: [
      "Noël", "veille de Noël", "Pâques", "la Toussaint", "le jour avant l'examen", "cet hiver",
    ],
    behindWeekday: ["après Noël", "après l'examen", "le sept", "sept", "semaine 50"],
    hoursBehindDay: ["8 à 10", "8 ou 10", "18.00", "24:00", "1800", "sept heures"],
    unreadRules: [
      "chaque Noël", "chaque janvier", "chaque hiver", "tous les quinze jours", "tous les 8 jours",
      "toutes les quinzaines", "deux fois par jour",
    ])

  static let spanish = PhraseWords(
    locale: "es",
    weekdays: ["lunes", "martes", "miércoles", "Jueves", "vie", "sabado", "domingo"],
    months: [
      "enero", "feb", "marzo", "abril", "mayo", "junio", "jul", "agosto", "Septiembre", "octubre",
      "nov", "diciembre",
    ],
    tomorrow: ["mañana", "manana", "para mañana"], dayAfterTomorrow: ["pasado mañana"],
    daysLater: "en # días", weeksLater: "en # semanas",
    weekdayOfNextWeek: [
      "* de la próxima semana", "la próxima semana *", "* de la semana que viene",
    ],
    firstOfMonth: "el primer * de NAME",
    dates: [
      "YYYY-MM-DD", "DD/MM/YYYY", "el D/M", "D de NAME de YYYY", "el D de NAME", "D NAME YYYY",
    ],
    times: ["HH:MM", "a las HH:MM", "a las HH", "a las HH:MM h"], hours: ["a las HH"],
    parts: [
      Part(behind: "por la noche", today: "esta noche", hours: 19...23),
      Part(behind: "por la tarde", today: "esta tarde", hours: 13...18),
      Part(behind: "por la mañana", today: nil, hours: 7...11),
    ],
    rules: [
      ("todos los días", "FREQ=DAILY"), ("cada 2 semanas", "FREQ=WEEKLY;INTERVAL=2"),
      ("cada lunes y jueves", "FREQ=WEEKLY;BYDAY=MO,TH"), ("los lunes", "FREQ=WEEKLY;BYDAY=MO"),
      ("cada segundo martes del mes", "FREQ=MONTHLY;BYDAY=2TU"),
    ],
    everyWeekday: "cada *", starting: ["a partir de", "desde", "desde el"],
    before: [
      "después de", "un día antes de", "2 días después de", "desde", "hasta", "de", "del 7 al",
      "no",
      "entre", "finales de", "sobre", "menos",
    ],
    behind: [
      "pasado", "o el lunes", "utc", "fin de semana", "2 semanas", "30 minutos", "de 9 a 5",
      "9-17h",
      "hasta las 18:00", "pero no a las 9", "después de las 5", "a las ocho",
    ],
    joiners: ["o", "y", "a", "-", "–", "hasta", "pero no"],
    vagueMonths: [
      "en NAME", "a mediados de NAME", "el siete de NAME", "7/8 de NAME", "finales de NAME",
    ],
    occasions: [
      "Navidad", "Nochebuena", "Semana Santa", "el día antes de Navidad", "el día antes del examen",
      "en verano",
    ],
    behindWeekday: ["después de Navidad", "después del examen", "siete", "el siete", "semana 50"],
    hoursBehindDay: ["8 a 10", "8 o 10", "9.10", "24:00", "1800", "alrededor de las 9"],
    unreadRules: [
      "cada Navidad", "cada enero", "cada invierno", "cada quince días", "cada 8 días",
      "dos veces al día", "quincenalmente",
    ])
}
