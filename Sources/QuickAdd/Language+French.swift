import Domain

extension Language {
  static let frenchSpelling = Spelling(
    letters: ["à": "a", "â": "a", "ç": "c", "è": "e", "é": "e", "ê": "e", "û": "u"])

  /// The words of French. All short weekdays are other words, too ("mer", "jeu", "mar"), even behind "le" and "chaque".
  /// "À" makes no hour of a number ("dîner à 2"), and "a" without its accent is "has".
  package static let french = Language(
    name: .french,
    weekdays: [
      "lundi": .monday, "mardi": .tuesday, "mercredi": .wednesday, "jeudi": .thursday,
      "vendredi": .friday, "samedi": .saturday, "dimanche": .sunday,
    ],
    weakWeekdays: [
      "lun": .monday, "mar": .tuesday, "mer": .wednesday, "jeu": .thursday, "ven": .friday,
      "sam": .saturday, "dim": .sunday,
    ],
    eachWeekday: [
      "lundis": .monday, "mardis": .tuesday, "mercredis": .wednesday, "jeudis": .thursday,
      "vendredis": .friday, "samedis": .saturday, "dimanches": .sunday,
    ],
    beforeEachWeekday: ["les"],
    months: frenchSpelling.table([
      "janvier": 1, "janv": 1, "février": 2, "févr": 2, "mars": 3, "avril": 4, "avr": 4, "mai": 5,
      "juin": 6, "juillet": 7, "juil": 7, "août": 8, "septembre": 9, "sept": 9, "octobre": 10,
      "oct": 10, "novembre": 11, "nov": 11, "décembre": 12, "déc": 12,
    ]),
    weakMonths: ["avril", "mai", "mars", "sept"],
    dateSeparators: ["/", "-"],
    days: frenchSpelling.table([
      "aujourd'hui": 0, "demain": 1, "après-demain": 2, "après demain": 2,
    ]),
    units: frenchSpelling.table([
      "jour": .day, "jours": .day, "semaine": .week, "semaines": .week, "mois": .month,
      "an": .year, "ans": .year, "année": .year, "années": .year, "l'année": .year, "l'an": .year,
    ]),
    beforeDate: frenchSpelling.set([
      "le", "la", "pour", "pour le", "pour la", "avant", "avant le", "d'ici", "d'ici le",
      "d'ici au", "d'ici à",
    ]),
    latest: ["au plus tard"], this: ["ce"], coming: ["prochain"], comingBehind: ["prochain"],
    next: ["prochain", "prochaine"], nextBehind: ["prochain", "prochaine"],
    ofWeek: ["de la", "la"], weeksBehind: ["en huit": 1, "en quinze": 2],
    within: ["dans", "d'ici"], isDayOfMonthBare: true,
    inMonth: frenchSpelling.set(["de", "d'", "du mois de", "en"]),
    fixed: frenchSpelling.set([
      "black friday", "dimanche des rameaux", "dans huit jours", "dans quinze jours", "jeudi saint",
      "lundi de pâques", "lundi de pentecôte", "mardi gras", "mercredi des cendres",
      "vendredi saint", "dans 8 jours", "dans 15 jours", "jeudi noir", "tous les quinze jours",
      "tous les 15 jours", "tous les huit jours", "tous les 8 jours", "chaque quinze jours",
      "chaque 15 jours", "chaque huit jours", "chaque 8 jours",
    ]),
    adverbs: [
      "quotidiennement": .day, "hebdomadairement": .week, "mensuellement": .month,
      "annuellement": .year,
    ],
    every: ["chaque", "tous les", "toutes les"],
    intervals: frenchSpelling.table([
      "deuxième": 2, "second": 2, "seconde": 2, "troisième": 3, "quatrième": 4,
    ]),
    workday: frenchSpelling.set([
      "jour ouvré", "jours ouvrés", "jour ouvrable", "jours ouvrables", "jour de semaine",
      "jours de semaine",
    ]),
    weekend: ["week-end", "week-ends", "weekend", "weekends"],
    numbers: [
      "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7,
      "huit": 8, "neuf": 9, "dix": 10, "onze": 11, "douze": 12, "quinze": 15,
    ],
    ordinals: frenchSpelling.table([
      "premier": 1, "premiers": 1, "deuxième": 2, "deuxièmes": 2, "second": 2, "seconds": 2,
      "troisième": 3, "troisièmes": 3, "quatrième": 4, "quatrièmes": 4, "cinquième": 5,
      "dernier": -1, "derniers": -1,
    ]),
    ordinalEndings: ["er", "e"], on: ["le", "les"], the: ["le"], and: ["et", "et le"],
    ofMonth: ["du mois"], ofEveryMonth: ["de chaque mois"],
    until: frenchSpelling.set(["jusqu'au", "jusqu'à"]), times: ["fois"],
    starting: frenchSpelling.set(["à partir de", "à partir du", "à compter du", "dès", "dès le"]),
    beforeDeadline: frenchSpelling.set(["avant", "pour", "d'ici", "d'ici à"]), beforeClock: ["à"],
    weakNoon: ["midi"], midnight: ["minuit"],
    dayParts: frenchSpelling.table([
      "du matin": .morning, "le matin": .morning, "au matin": .morning,
      "dans la matinée": .morning, "de l'après-midi": .afternoon, "l'après-midi": .afternoon,
      "dans l'après-midi": .afternoon, "du soir": .evening, "le soir": .evening,
      "au soir": .evening, "dans la soirée": .evening, "en soirée": .evening,
      "de la nuit": .night, "la nuit": .night, "dans la nuit": .night,
      "en pleine nuit": .night, "en début de matinée": .morning, "en fin de matinée": .forenoon,
      "en début d'après-midi": .afternoon, "en fin d'après-midi": .afternoon,
      "en début de soirée": .evening, "en fin de soirée": .evening,
      "début d'après-midi": .afternoon, "fin d'après-midi": .afternoon,
      "début de soirée": .evening, "fin de soirée": .evening, "fin de matinée": .forenoon,
    ]),
    bareDayParts: frenchSpelling.table([
      "matin": .morning, "matins": .morning, "midi": .noon, "après-midi": .afternoon,
      "après midi": .afternoon, "soir": .evening, "soirs": .evening, "nuit": .night,
      "nuits": .night,
    ]),
    todayParts: frenchSpelling.table([
      "ce matin": .morning, "cet après-midi": .afternoon, "cette après-midi": .afternoon,
      "ce soir": .evening, "cette nuit": .night,
    ]),
    hourMarks: ["h"], markedHourFrom: 7, clockWords: ["pile"],
    hourWords: frenchSpelling.set(["h", "heure", "heures", "heures pile", "heures précises"]),
    quarters: ["et demie": 30, "et quart": 15, "moins le quart": -15],
    spoilersBefore: frenchSpelling.set([
      "ce", "cette", "chez", "de", "depuis", "dernier", "dernière", "des", "deux fois", "du",
      "début", "entre", "environ", "fin", "il y a", "mi", "milieu", "moins de", "par", "pas",
      "passé", "trois fois", "une fois", "vers", "veille", "~", "autre", "l'autre", "cet",
      "sur les", "d'après-midi",
      "de matinée", "de soirée", "de journée",
    ]),
    relations: frenchSpelling.set(["après", "avant", "après le", "avant le"]),
    spoilers: frenchSpelling.set([
      "dernier", "dernière", "derniers", "environ", "heure", "heures", "hier", "avant-hier",
      "minuit", "minute", "minutes", "passé", "passée", "plus tard", "plus tôt", "précédent",
      "précédente", "suivant", "suivante", "utc", "week-end", "week-ends", "weekend", "weekends",
      "trimestre", "lendemain", "et demi", "et demie", "et quart", "moins le quart",
      "sur 2", "sur 3", "sur deux", "sur trois", "hebdomadaire", "bihebdomadaire", "bimensuel",
      "bimensuelle", "bimestriel", "bimestrielle", "mensuel", "mensuelle", "trimestriel",
      "trimestrielle", "semestriel", "semestrielle", "à l'aube", "à l'aurore", "d'après",
    ]),
    habits: frenchSpelling.set([
      "après l'école", "après le boulot", "après le cours", "après le déjeuner", "après le dîner",
      "après le repas", "après le travail", "avant l'école", "avant le cours", "avant le déjeuner",
      "avant le dîner", "avant le repas", "avant le travail",
    ]),
    occasions: frenchSpelling.set([
      "noël", "veille", "la veille", "réveillon", "saint-sylvestre", "saint-valentin", "nouvel an",
      "jour de l'an", "pâques", "pentecôte", "l'ascension", "toussaint", "épiphanie",
      "l'épiphanie", "chandeleur", "halloween", "lendemain",
    ]),
    cycles: frenchSpelling.set([
      "anniversaire", "automne", "été", "hiver", "printemps", "quinzaine", "quinzaines",
    ]),
    weekMarks: ["s", "sem"],
    exceptions: frenchSpelling.set(["sauf", "sauf le", "hormis", "excepté"]),
    joiners: [
      "et", "ou", "à", "au", "puis", "mais", "mais pas", "pas", "jusqu'à", "jusqu'au", "de", "du",
      "en", "entre", "vers", "-", "–", "—", "&", "/", "+", "jusqu'a",
    ],
    measures: frenchSpelling.set([
      "%", "€", "ans", "euros", "kg", "kilos", "km", "kilomètres", "litres", "mètres", "pages",
      "personnes", "points",
    ]),
    priorities: [
      "haute": .high, "h": .high, "1": .high, "moyenne": .medium, "m": .medium, "2": .medium,
      "basse": .low, "b": .low, "3": .low,
    ],
    behindPriority: frenchSpelling.set(["priorité"]),
    beforePerson: ["pour", "avec", "par", "à"],
    beforeList: ["dans", "sur", "pour"], beforeTag: ["avec", "pour"],
    beforeLength: ["pendant", "durant"], hourUnits: ["h"],
    minuteWords: ["minute", "minutes"], lengthHours: ["heure", "heures"])
}
