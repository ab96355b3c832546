"""Words that the converter treats in a way of their own.

Written manually after the AMR guidelines (Banarescu et al.) and the senses of PropBank, for English
of any topic; senses that are not listed are ``-01``. The training part of the Little Prince was
read meanwhile (docs/methods.md), so that its common words are here; no number was fitted to it.
"""

Table = dict[str, str]


def words(listed: str) -> list[str]:
    """The words of a list that is written in a row."""
    return listed.split()


def _table(*lines: str) -> Table:
    """Lines of "value: key key key" as a table from key to value."""
    table = {}
    for line in lines:
        value, keys = line.split(": ")
        table.update(dict.fromkeys(keys.split(), value))
    return table


def _senses(words: str) -> Table:
    return {word.rpartition("-")[0]: word for word in words.split()}


# --- verbs ---

VERBS = {
    **_senses(
        "have-03 do-02 go-02 make-02 cry-02 pass-03 treat-04 hold-01 lose-02 draw-01 become-01 "
        "run-02 light-04 fall-01 command-02 turn-01 get-01 charge-05 melt-01 stick-01 "
        "mean-01 bear-02 prepare-02 own-01 rule-03 hit-01 pour-01 use-01 play-01 lead-02 "
        "cover-01 rise-01 keep-02 know-01 read-01 boil-01 weigh-01 flow-01 call-01 contain-01 "
        "differ-02 act-02 appear-01 break-01"
    ),
    "wo": "will-01",
    "exist": "exist-01",
}
PARTICLE_VERBS = _senses(
    "go-on-25 put-out-09 sit-down-02 stand-up-10 get-up-26 give-up-07 find-out-03 set-out-07 "
    "come-back-09 go-back-19 come-up-11 go-away-24 run-away-11 make-up-08 take-off-07 "
    "turn-on-13 turn-off-12 turn-out-11 look-up-05 carry-on-02 carry-out-03 pick-up-04 grow-up-04 "
    "wake-up-02 point-out-02 break-down-12 break-up-08 heat-up-02 clean-out-03 add-up-04 "
    "mix-up-02 knock-out-03 bend-down-01 slow-down-03 speed-up-02 burn-up-02 dry-out-03 "
    "take-in-04 take-up-12 give-off-06 end-up-03 fill-up-02 use-up-03 cut-down-11 put-on-08"
)
# The subject undergoes what these say: it is ARG1.
UNACCUSATIVE = frozenset(
    words(
        "appear arise arrive awaken become begin belong bloom boil break burn change close "
        "collapse come condense consist continue cool crack decay depart die differ disappear "
        "drift drop dry emerge end erupt evaporate exist expand explode fade fall fit float "
        "flow form freeze go grow happen harden heat increase last lie melt move occur open "
        "originate remain rise rot rust seem shake shine sink solidify spread start stay "
        "stick stop succeed suffice turn vanish vary vibrate wake wait"
    )
)
# ... but here it does something, in spite of its meaning (PropBank's own choice).
AGENTIVE = frozenset(["go", "live", "stay", "stop", "lie"])
# An object beside a clause is the hearer (ARG2), the clause what is said or asked (ARG1).
TELLING = frozenset(
    words(
        "advise answer ask assure beg inform notify persuade promise remind request show "
        "teach tell warn"
    )
)
# What the object is made to do or be is ARG2 (its subject is the object), else ARG1.
OBJECT_THEN_ARG2 = frozenset(
    words(
        "advise ask challenge command encourage forbid force invite order persuade teach tell "
        "urge warn"
    )
)
SAYING = frozenset(
    words(
        "add answer ask cry call declare demand exclaim explain inquire murmur observe remark "
        "repeat reply respond say shout sob state tell think whisper continue"
    )
)
AUXILIARY_MODALS = {
    "can": ("possible-01", "ARG1"),
    "could": ("possible-01", "ARG1"),
    "ca": ("possible-01", "ARG1"),
    "may": ("possible-01", "ARG1"),
    "might": ("possible-01", "ARG1"),
    "must": ("obligate-01", "ARG2"),
    "should": ("recommend-01", "ARG1"),
    "ought": ("recommend-01", "ARG1"),
}
COPULAS = frozenset(["be", "'s", "'re", "'m"])
LOOKING = frozenset(["appear", "feel", "look", "seem", "smell", "sound", "taste"])

# --- a verb's prepositions that PropBank numbers; "*" stands for any verb ---

VERB_PREPOSITIONS = {
    ("look", "at"): "ARG1",
    ("stare", "at"): "ARG1",
    ("gaze", "at"): "ARG1",
    ("laugh", "at"): "ARG1",
    ("smile", "at"): "ARG1",
    ("listen", "to"): "ARG1",
    ("belong", "to"): "ARG0",
    ("think", "of"): "ARG1",
    ("think", "about"): "ARG1",
    ("dream", "of"): "ARG1",
    ("dream", "about"): "ARG1",
    ("hear", "of"): "ARG1",
    ("hear", "about"): "ARG1",
    ("know", "of"): "ARG1",
    ("know", "about"): "ARG1",
    ("talk", "about"): "ARG1",
    ("talk", "of"): "ARG1",
    ("speak", "of"): "ARG1",
    ("speak", "about"): "ARG1",
    ("talk", "to"): "ARG2",
    ("talk", "with"): "ARG2",
    ("speak", "to"): "ARG2",
    ("speak", "with"): "ARG2",
    ("wait", "for"): "ARG2",
    ("search", "for"): "ARG2",
    ("look", "for"): "ARG1",
    ("ask", "for"): "ARG1",
    ("care", "for"): "ARG1",
    ("care", "about"): "ARG1",
    ("wish", "for"): "ARG1",
    ("hope", "for"): "ARG1",
    ("depend", "on"): "ARG1",
    ("rely", "on"): "ARG1",
    ("consist", "of"): "ARG2",
    ("compose", "of"): "ARG2",
    ("make", "of"): "ARG2",
    ("make", "from"): "ARG2",
    ("make", "up"): "ARG2",
    ("fill", "with"): "ARG2",
    ("cover", "with"): "ARG2",
    ("go", "to"): "ARG4",
    ("come", "to"): "ARG4",
    ("come", "from"): "ARG3",
    ("fall", "to"): "ARG4",
    ("rise", "to"): "ARG4",
    ("drop", "to"): "ARG4",
    ("increase", "to"): "ARG4",
    ("move", "to"): "ARG2",
    ("return", "to"): "ARG4",
    ("go", "from"): "ARG3",
    ("live", "in"): "location",
    ("turn", "into"): "ARG2",
    ("change", "into"): "ARG2",
    ("change", "to"): "ARG2",
    ("change", "from"): "ARG3",
    ("turn", "to"): "ARG2",
    ("convert", "into"): "ARG2",
    ("convert", "to"): "ARG2",
    ("transform", "into"): "ARG2",
    ("break", "into"): "ARG3",
    ("divide", "into"): "ARG2",
    ("put", "in"): "ARG2",
    ("put", "into"): "ARG2",
    ("put", "on"): "ARG2",
    ("put", "under"): "ARG2",
    ("place", "in"): "ARG2",
    ("place", "on"): "ARG2",
    ("set", "on"): "ARG2",
    ("base", "on"): "ARG2",
    ("surround", "by"): "ARG2",
    ("believe", "in"): "ARG1",
    ("succeed", "in"): "ARG1",
    ("arrive", "at"): "ARG4",
    ("arrive", "in"): "ARG4",
    ("differ", "from"): "ARG2",
    ("separate", "from"): "ARG2",
    ("protect", "from"): "ARG2",
    ("protect", "against"): "ARG2",
    ("collide", "with"): "ARG1",
    ("react", "with"): "ARG1",
    ("combine", "with"): "ARG2",
    ("interact", "with"): "ARG1",
    ("mix", "with"): "ARG2",
    ("compare", "to"): "ARG2",
    ("compare", "with"): "ARG2",
    ("connect", "to"): "ARG2",
    ("attach", "to"): "ARG2",
    ("add", "to"): "ARG2",
    ("apologize", "for"): "ARG1",
    ("use", "for"): "ARG2",
    ("use", "as"): "ARG2",
    ("know", "as"): "ARG2",
    ("call", "by"): "ARG0",
    ("*", "to"): "ARG2",
}

# --- adjectives ---

# With a frame of their own; the thing described is the ARG1 unless a colon says otherwise.
ADJECTIVES = _senses(
    "good-02 bad-07 beautiful-02 happy-01 sad-02 true-01 real-04 right-02 wrong-02 sure-02 "
    "same-01 long-03 simple-02 easy-05 weak-02 strong-02 responsible-03 reasonable-02 possible-01 "
    "red-02 white-03 black-04 green-02 blue-01 yellow-02 close-10 fresh-04 terrible-01 busy-01 "
    "ready-02 single-02 complete-02 full-09 empty-02 free-04 clear-06 hot-05 cold-01 warm-07 "
    "cool-04 dry-08 wet-04 hard-02 soft-02 heavy-04 rich-01 safe-01 sick-05 dangerous-02 kind-01 "
    "proud-01 able-01 dark-02 fat-03 quick-02 fast-02 deep-02 wide-02 high-02 low-04 bright-02 "
    "actual-02 absurd-02 polite-01 necessary-01 likely-01 grateful-02 capable-01 equal-01 "
    "bulky-02 open-02 visible-01 solid-02 dense-01 smooth-06 tight-05 loose-05 rigid-02 "
    "flexible-01 identical-01 direct-02"
)
# Adjectives that are another word's frame, with the role of what they describe.
ADJECTIVE_FRAMES = {
    "different": ("differ-02", "ARG1"),
    "afraid": ("fear-01", "ARG0"),
    "proud": ("pride-01", "ARG0"),
    "alive": ("live-01", "ARG0"),
    "dead": ("die-01", "ARG1"),
    "asleep": ("sleep-01", "ARG0"),
    "thirsty": ("thirst-01", "ARG0"),
    "hungry": ("hunger-01", "ARG0"),
    "tired": ("tire-01", "ARG1"),
    "ashamed": ("shame-01", "ARG1"),
    "jealous": ("jealous-02", "ARG0"),
    "similar": ("resemble-01", "ARG1"),
    "useful": ("use-01", "ARG1"),
    "angry": ("angry", "domain"),
    "able": ("possible-01", "ARG1"),
    "glad": ("glad-02", "ARG1"),
    "sorry": ("sorry-01", "ARG1"),
    "worth": ("worth-02", "ARG1"),
    "enough": ("enough", "quant"),
    "interesting": ("interest-01", "ARG0"),
    "surprising": ("surprise-01", "ARG0"),
    "amazing": ("amaze-01", "ARG0"),
    "aware": ("aware-01", "ARG0"),
    "necessary": ("need-01", "ARG1"),
    "magnetic": ("magnet", "domain"),
}
QUANTITIES = frozenset(words("many much few several more less most enough numerous"))

# --- nouns ---

# Nouns of what verbs say, with the role of their "of" (and of a possessive: ARG0).
EVENT_NOUNS = {
    noun: (frame, role)
    for role, lines in {
        "ARG1": (
            "die-01=death live-01=life move-01=movement,motion explain-01=explanation "
            "discover-01=discovery explore-01=exploration destroy-01=destruction "
            "create-01=creation produce-01=production construct-01=construction "
            "develop-02=development measure-01=measurement observe-01=observation "
            "describe-01=description prepare-02=preparation react-01=reaction "
            "evaporate-01=evaporation condense-01=condensation combine-01=combination "
            "collide-01=collision attract-01=attraction separate-01=separation "
            "arrange-01=arrangement vibrate-01=vibration expand-01=expansion "
            "compress-01=compression reduce-01=reduction educate-01=education "
            "govern-01=government inform-01=information treat-03=treatment fail-01=failure "
            "lose-02=loss grow-01=growth choose-01=choice love-01=love think-01=thought "
            "know-01=knowledge believe-01=belief decide-01=decision suggest-01=suggestion "
            "appear-01=appearance arrive-01=arrival depart-01=departure protect-01=protection "
            "punish-01=punishment employ-01=employment pay-01=payment improve-01=improvement "
            "agree-01=agreement argue-01=argument conclude-01=conclusion invite-01=invitation "
            "permit-01=permission possess-01=possession react-01=reaction tempt-01=temptation "
            "admire-01=admiration exist-01=existence resist-01=resistance "
            "reflect-01=reflection connect-01=connection communicate-01=communication "
            "compete-01=competition consume-01=consumption pollute-01=pollution "
            "migrate-01=migration operate-01=operation organize-01= "
            "transform-01=transformation change-01=change use-01=use need-01=need "
            "fear-01=fear desire-01=desire hope-01=hope attempt-01=attempt visit-01=visit "
            "journey-01=journey travel-01=travel laugh-01=laughter smile-01=smile "
            "talk-01=talk walk-01=walk step-01=step move-01=move work-01=work study-01=study "
            "research-01=research war-01=war,warfare"
        ),
    }.items()
    for line in lines.split()
    for frame, nouns in [line.split("=")]
    for noun in nouns.split(",")
}
# What a verb says, asks or orders: a thing with the frame's role.
THING_NOUNS = {
    "question": ("question-01", "ARG1"),
    "answer": ("answer-01", "ARG2"),
    "order": ("order-01", "ARG2"),
    "drawing": ("draw-01", "ARG1"),
    "remark": ("remark-01", "ARG1"),
    "statement": ("state-01", "ARG1"),
    "product": ("produce-01", "ARG1"),
    "invention": ("invent-01", "ARG1"),
}
# Who does what a verb says: a person with the frame's ARG0.
AGENTS = {
    agent: f"{verb}-01"
    for verb, agent in (
        word.split("-")
        for word in words(
            "admire-admirer build-builder buy-buyer dance-dancer drive-driver explore-explorer "
            "farm-farmer hunt-hunter invent-inventor observe-observer own-owner paint-painter "
            "read-reader research-researcher sing-singer speak-speaker teach-teacher "
            "travel-traveller travel-traveler view-viewer visit-visitor work-worker write-writer"
        )
    )
}
RELATIVES = frozenset(
    words(
        "aunt brother child cousin daughter father friend grandfather grandmother husband "
        "mother neighbour neighbor parent sister son uncle wife"
    )
)
PARTS = frozenset(
    words(
        "arm back body branch cheek ear edge eye face finger foot hair hand head heart leaf "
        "leg mouth neck nose petal root side skin shoulder surface tail thorn throat tooth "
        "top bottom wing core shell"
    )
)
TIME_UNITS = frozenset(words("century day decade hour minute month second week year millisecond"))
OTHER_UNITS = frozenset(
    words(
        "inch yard mile metre meter kilometre kilometer gram kilogram pound ton litre liter "
        "gallon degree dollar cent euro percent"
    )
)
DAYPERIODS = frozenset(["afternoon", "evening", "morning", "night", "noon", "midnight"])
WEEKDAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
MONTHS = {
    month: str(number)
    for number, month in enumerate(
        words(
            "january february march april may june july august september october november december"
        ),
        1,
    )
}
TIME_NOUNS = frozenset(
    words(
        "age afternoon century day decade evening hour instant midnight minute moment month "
        "morning night noon season second spring summer autumn time today tomorrow tonight "
        "week weekend winter year yesterday"
    )
)
NUMBERS = {
    word: number
    for number, word in enumerate(
        words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen "
            "fourteen fifteen sixteen seventeen eighteen nineteen twenty"
        )
    )
} | {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "dozen": 12,
}
SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        words("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"),
        1,
    )
} | {"last": "-1"}
PRONOUNS = _table(
    "i: i me my mine myself",
    "you: you your yours yourself yourselves thou thee thy",
    "he: he him his himself",
    "she: she her hers herself",
    "it: it its itself",
    "we: we us our ours ourselves",
    "they: they them their theirs themselves",
    "one: oneself",
)
CONTAINERS = frozenset(words("group kind number lot sort pair bit piece type series set"))
COUNTRIES = frozenset(
    words(
        "america australia austria belgium brazil britain canada chile china cuba denmark "
        "egypt england finland france germany greece india iran iraq ireland israel italy "
        "japan kenya korea mexico netherlands nigeria norway pakistan peru poland portugal "
        "russia scotland spain sweden switzerland syria turkey ukraine vietnam wales"
    )
)
CONTINENTS = frozenset(["africa", "antarctica", "asia", "europe"])
PLANETS = frozenset(["earth", "jupiter", "mars", "mercury", "neptune", "saturn", "uranus", "venus"])

# --- adverbs and prepositions ---

ADVERB_ROLES = _table(
    "time: now then always ever already soon today tomorrow yesterday immediately later "
    "before earlier recently currently once meanwhile tonight nowadays previously "
    "ago eventually lately",
    "frequency: often sometimes usually rarely seldom frequently occasionally daily regularly "
    "twice",
    "degree: very so quite extremely rather almost nearly more most less least completely "
    "totally entirely highly slightly absolutely fairly terribly enough as",
    "location: here there everywhere nowhere somewhere anywhere nearby outside inside upstairs",
    "direction: away back up down forward out off toward in",
    "mod: just only still also too even again yet instead else",
)
# The adverb says what this frame says: the word it goes with is the frame's ARG1.
ADVERB_FRAMES = {
    "really": "real-04",
    "actually": "actual-02",
    "truly": "true-01",
    "surely": "sure-02",
    "perhaps": "possible-01",
    "maybe": "possible-01",
    "possibly": "possible-01",
    "probably": "likely-01",
    "slowly": "slow-05",
    "quickly": "quick-02",
    "completely": "complete-02",
    "simply": "simple-02",
}
CAUSAL_ADVERBS = frozenset(["so", "therefore", "thus", "hence", "consequently"])
CONTRASTS = frozenset(["but", "however", "yet"])
IRREGULAR_ADVERBS = {"truly": "true", "wholly": "whole", "fully": "full", "gently": "gentle"}
DERIVED_ADVERB_EXCEPTIONS = frozenset(
    words("only early family daily likely lonely lovely ugly friendly reply supply")
)
PLACE_PREPOSITIONS = frozenset(
    words(
        "above across along among around at behind below beneath beside between beyond by in "
        "inside near on outside over throughout under upon within"
    )
)
# Prepositions that AMR keeps as concepts: "(u / under :op1 ...)".
PLACES_AS_CONCEPTS = frozenset(
    words(
        "above among around behind below beneath between beyond inside near outside over "
        "under beside"
    )
)
# The first word of such as "because of".
COMPOUND_PREPOSITIONS = frozenset(["because", "due", "instead", "out", "such"])
PREPOSITION_ROLES = {
    "from": "source",
    "into": "destination",
    "onto": "destination",
    "toward": "direction",
    "towards": "direction",
    "through": "path",
    "during": "time",
    "for": "purpose",
    "about": "topic",
    "by": "manner",
    "with": "accompanier",
    "without": "manner",
    "until": "time",
    "till": "time",
    "since": "time",
    "despite": "concession",
    "like": "manner",
    "as": "mod",
    "to": "destination",
    "of": "mod",
    "against": "direction",
    "than": "compared-to",
}
# Between nouns.
NOUN_PREPOSITION_ROLES = {
    **PREPOSITION_ROLES,
    "of": "mod",
    "with": "mod",
    "for": "purpose",
    "to": "topic",
    "on": "location",
    "from": "source",
    "by": "ARG0",
    "about": "topic",
    "as": "mod",
    "like": "mod",
}
CLAUSE_ROLES = {
    "if": "condition",
    "unless": "condition",
    "when": "time",
    "whenever": "time",
    "while": "time",
    "as": "time",
    "once": "time",
    "until": "time",
    "after": "time",
    "before": "time",
    "since": "time",
    "although": "concession",
    "though": "concession",
    "where": "location",
    "wherever": "location",
    "how": "manner",
}
TIME_AS_CONCEPTS = frozenset(["after", "before", "since", "until", "by", "till"])
KEPT_PREPOSITIONS = {"location": PLACES_AS_CONCEPTS, "time": TIME_AS_CONCEPTS}
CAUSAL_MARKS = frozenset(["because", "for"])
EXCLAMATIONS = frozenset(words("ah alas bah eh ha hello hey hi hm hmm hum hush oh ooh ouch ow wow"))
RELATIVE_PRONOUNS = frozenset(["that", "which", "who", "whom", "whose"])
QUESTION_WORDS = frozenset(["how", "what", "when", "where", "which", "who", "whom", "whose", "why"])
UNKNOWN_ROLES = {"how": "manner", "when": "time", "where": "location"}
