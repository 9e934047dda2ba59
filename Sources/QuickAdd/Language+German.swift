import Domain

extension Language {
  /// The spelling "uebermorgen" and "Maerz" of people whose keyboard lacks these letters.
  static let germanSpelling = Spelling(letters: ["ä": "ae", "ö": "oe", "ü": "ue"])

  /// The words of German. "So" and "do" are words ("to do"), so they are days only where a day must be. "Morgen" is
  /// also the morning.
  package static let german = Language(
    name: .german,
    weekdays: [
      "montag": .monday, "mo": .monday, "dienstag": .tuesday, "di": .tuesday,
      "mittwoch": .wednesday, "mi": .wednesday, "donnerstag": .thursday, "freitag": .friday,
      "fr": .friday, "samstag": .saturday, "sonnabend": .saturday, "sa": .saturday,
      "sonntag": .sunday,
    ],
    weakWeekdays: ["do": .thursday, "so": .sunday], isWeakReadInRules: true,
    eachWeekday: [
      "montags": .monday, "dienstags": .tuesday, "mittwochs": .wednesday,
      "donnerstags": .thursday, "freitags": .friday, "samstags": .saturday,
      "sonnabends": .saturday, "sonntags": .sunday,
    ],
    months: germanSpelling.table([
      "januar": 1, "jänner": 1, "jan": 1, "februar": 2, "feber": 2, "feb": 2, "märz": 3, "mär": 3,
      "mrz": 3, "april": 4, "apr": 4, "mai": 5, "juni": 6, "jun": 6, "juli": 7, "jul": 7,
      "august": 8, "aug": 8, "september": 9, "sept": 9, "sep": 9, "oktober": 10, "okt": 10,
      "november": 11, "nov": 11, "dezember": 12, "dez": 12,
    ]),
    weakMonths: ["april", "august", "jan", "mai"],
    days: germanSpelling.table(["heute": 0, "morgen": 1, "übermorgen": 2, "über morgen": 2]),
    units: [
      "tag": .day, "tage": .day, "tagen": .day, "woche": .week, "wochen": .week, "monat": .month,
      "monate": .month, "monaten": .month, "jahr": .year, "jahre": .year, "jahren": .year,
    ],
    beforeDate: germanSpelling.set([
      "zum", "fällig", "fällig am", "fällig bis", "für", "spätestens", "spätestens am",
    ]),
    sureOfDay: germanSpelling.set([
      "am", "bis", "bis zum", "bis spätestens", "bis einschließlich",
    ]),
    latest: germanSpelling.set(["spätestens"]), this: ["diesen"], coming: ["kommenden"],
    nextOfDay: germanSpelling.set(["nächsten"]),
    next: germanSpelling.set([
      "nächste", "nächsten", "nächster", "nächstes", "kommende", "kommenden", "kommender",
      "kommendes",
    ]),
    ofWeek: ["der", "in der"], within: ["in"], inMonth: ["im", "des"],
    fixed: [
      "den morgen", "der morgen", "diesen morgen", "guten morgen", "so gegen", "so um",
      "alle jahre wieder", "in acht tagen", "in 8 tagen", "alle acht tage", "alle 8 tage",
    ],
    adverbs: germanSpelling.table([
      "täglich": .day, "wöchentlich": .week, "monatlich": .month, "jährlich": .year,
    ]),
    eachWorkday: ["werktags", "wochentags"], every: ["jeden", "jede", "jedes", "alle"],
    intervals: germanSpelling.table([
      "zweiten": 2, "zweite": 2, "zweites": 2, "dritten": 3, "dritte": 3, "drittes": 3,
      "vierten": 4, "vierte": 4, "viertes": 4,
    ]),
    intervalEndings: ["."], workday: ["werktag", "wochentag"], weekend: ["wochenende"],
    numbers: germanSpelling.table([
      "ein": 1, "eine": 1, "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5,
      "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12,
      "vierzehn": 14,
    ]),
    ordinals: germanSpelling.table([
      "erste": 1, "ersten": 1, "erster": 1, "zweite": 2, "zweiten": 2, "zweiter": 2, "dritte": 3,
      "dritten": 3, "dritter": 3, "vierte": 4, "fünfte": 5,
      "vierten": 4, "vierter": 4, "fünften": 5, "fünfter": 5, "letzten": -1, "letzter": -1,
    ]),
    laterOrdinals: germanSpelling.set([
      "sechste", "sechsten", "sechster", "siebte", "siebten", "siebter", "siebente", "siebenten",
      "siebenter", "achte", "achten", "achter", "neunte", "neunten", "neunter", "zehnte",
      "zehnten", "zehnter", "elfte", "elften", "elfter", "zwölfte", "zwölften", "zwölfter",
      "dreizehnte", "dreizehnten", "dreizehnter", "vierzehnte", "vierzehnten", "vierzehnter",
      "fünfzehnte", "fünfzehnten", "fünfzehnter", "sechzehnte", "sechzehnten", "sechzehnter",
      "siebzehnte", "siebzehnten", "siebzehnter", "achtzehnte", "achtzehnten", "achtzehnter",
      "neunzehnte", "neunzehnten", "neunzehnter", "zwanzigste", "zwanzigsten", "zwanzigster",
      "einundzwanzigste", "einundzwanzigsten", "einundzwanzigster", "zweiundzwanzigste",
      "zweiundzwanzigsten", "zweiundzwanzigster", "dreiundzwanzigste", "dreiundzwanzigsten",
      "dreiundzwanzigster", "vierundzwanzigste", "vierundzwanzigsten", "vierundzwanzigster",
      "fünfundzwanzigste", "fünfundzwanzigsten", "fünfundzwanzigster", "sechsundzwanzigste",
      "sechsundzwanzigsten", "sechsundzwanzigster", "siebenundzwanzigste", "siebenundzwanzigsten",
      "siebenundzwanzigster", "achtundzwanzigste", "achtundzwanzigsten", "achtundzwanzigster",
      "neunundzwanzigste", "neunundzwanzigsten", "neunundzwanzigster", "dreißigste", "dreißigsten",
      "dreißigster", "einunddreißigste", "einunddreißigsten", "einunddreißigster",
    ]),
    ordinalEndings: ["."], on: ["am", "an", "jeweils am"], the: ["den", "dem", "der"],
    and: ["und", "und am"], ofMonth: ["im monat", "des monats"],
    ofEveryMonth: ["jedes monats", "jeden monats"], until: ["bis", "bis zum"],
    times: ["mal"], starting: ["ab", "ab dem", "beginnend", "beginnend am"],
    beforeDeadline: germanSpelling.set([
      "bis", "bis einschließlich", "bis spätestens", "fällig", "fällig bis", "für", "spätestens",
    ]),
    beforeTime: ["um", "um punkt"], beforeClock: ["punkt"], noon: ["mittags"],
    midnight: ["mitternacht"],
    dayParts: germanSpelling.table([
      "morgens": .morning, "früh": .morning, "vormittags": .forenoon, "mittags": .noon,
      "nachmittags": .afternoon, "abends": .evening, "nachts": .night, "am morgen": .morning,
      "am vormittag": .forenoon, "am mittag": .noon, "am nachmittag": .afternoon,
      "am abend": .evening, "in der nacht": .night, "in der früh": .morning,
      "frühmorgens": .morning, "am frühen morgen": .morning, "am späten vormittag": .forenoon,
      "am frühen nachmittag": .afternoon, "am späten nachmittag": .afternoon,
      "spätnachmittags": .afternoon, "am frühen abend": .evening, "am späten abend": .evening,
      "spätabends": .evening,
    ]),
    joinsDayParts: true,
    bareDayParts: germanSpelling.table([
      "morgen": .morning, "vormittag": .forenoon, "mittag": .noon, "nachmittag": .afternoon,
      "abend": .evening, "nacht": .night,
    ]),
    hourMarks: ["h"], markedHourFrom: 13, clockWords: ["uhr"], hourWords: ["h"],
    isClockPointed: true,
    spoilersBefore: germanSpelling.set([
      "anfang", "ca", "ca.", "circa", "dieser", "diese", "dieses", "dreimal", "einmal", "ende",
      "etwa", "gegen", "jeweils", "kurz", "letzte", "letzten", "letzter", "letztes", "mitte",
      "nicht", "nicht vor", "rund", "seit", "spät", "vergangene", "vergangenen", "vom", "von",
      "während", "zwei mal", "zweimal", "zwischen", "übernächste", "übernächsten", "übernächster",
      "vorige", "vorigen", "~", "anderen", "darauffolgenden", "folgenden", "einmal am tag",
      "zweimal am tag", "dreimal am tag",
      "einmal die woche", "zweimal die woche", "dreimal die woche", "einmal im monat",
      "zweimal im monat", "einmal im jahr",
    ]),
    relations: ["ab", "nach", "vor"],
    spoilers: germanSpelling.set([
      "dreiviertel", "gestern", "halb", "her", "herum", "kurz nach", "kurz vor", "letzte",
      "letzten", "mez", "mesz", "minute", "minuten", "mitternacht", "rum", "stunde", "stunden",
      "stündlich", "utc", "viertel", "vorgestern", "wochenende", "wochenenden", "übernächste",
      "übernächsten", "übernächster", "quartal", "zuvor", "danach", "später", "früher",
      "kw", "kalenderwoche", "zweiwöchentlich", "vierzehntägig", "zweimonatlich",
      "vierteljährlich", "halbjährlich", "quartalsweise", "allabendlich", "allmorgendlich", "drauf",
      "darauf",
      "morgenstunden", "abendstunden", "nachtstunden", "spätnachts",
    ]),
    habits: germanSpelling.set([
      "nach dem essen", "nach dem frühstück", "nach dem mittagessen", "nach der arbeit",
      "nach der schule", "nach feierabend", "nach hause", "vor dem essen", "vor dem schlafen",
      "vor der arbeit", "vor der schule", "vor ort",
    ]),
    occasions: germanSpelling.set([
      "weihnachten", "heiligabend", "heilig abend", "weihnachtstag", "weihnachtsfeiertag",
      "silvester", "sylvester", "neujahr", "ostern", "pfingsten", "advent", "nikolaus",
      "himmelfahrt", "fronleichnam", "aschermittwoch", "allerheiligen", "reformationstag",
      "bettag", "valentinstag", "muttertag", "vatertag", "dreikönig", "zwischen den jahren",
      "fasching", "karneval",
      "fastnacht", "halloween", "nationalfeiertag", "vorabend", "vortag",
    ]),
    cycles: germanSpelling.set([
      "feiertag", "feiertage", "frühjahr", "frühling", "geburtstag", "herbst", "sommer",
      "vierteljahr", "halbjahr", "winter",
    ]),
    weekMarks: ["kw", "w"],
    exceptions: germanSpelling.set(["außer", "außer am", "ausser"]),
    joiners: germanSpelling.set([
      "und", "oder", "bis", "bis zum", "sowie", "aber", "nicht", "-", "–", "—", "&", "/", "+", "im",
      "in", "von", "vom", "zwischen", "gegen", "etwa", "ca.", "ca",
    ]),
    measures: germanSpelling.set([
      "%", "€", "cent", "cm", "euro", "grad", "jahre", "kg", "kilo", "kilometer", "km", "leute",
      "liter", "m", "meter", "personen", "prozent", "punkte", "seiten", "stück",
    ]),
    hasCapitalNouns: true,
    priorities: [
      "hoch": .high, "h": .high, "1": .high, "mittel": .medium, "m": .medium, "2": .medium,
      "niedrig": .low, "n": .low, "3": .low,
    ],
    behindPriority: germanSpelling.set(["priorität", "prio"]),
    beforePerson: germanSpelling.set(["für", "mit", "von", "an"]),
    beforeList: germanSpelling.set(["in", "zu", "auf", "für"]),
    beforeTag: germanSpelling.set(["für", "mit"]),
    beforeLength: germanSpelling.set(["für"]), hourUnits: ["h", "std"],
    minuteWords: ["minute", "minuten"], lengthHours: ["stunde", "stunden"])
}
