"""Words that deny, limit or turn round what a sentence says, and pairs of opposites."""

from collections import defaultdict

from grading.pyramid.encoders.wtmf import stems

# Words that deny, limit or turn round what a sentence says.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --- denial ---

DENYING_ADVERBS = _words(
    "not n't nt never neither nor no hardly barely scarcely rarely seldom nowhere"
)
DENYING_PRONOUNS = _words("nobody nothing none neither noone")
DENYING_DETERMINERS = _words("no neither")
FEW = _words("few little")  # unless "a few", "a little"
NEARLY_NONE = _words("hardly barely scarcely")  # "hardly any", "hardly a"
# After these a denial leaves room: "not all", "not only", "not always", "no less than".
LIMITING = _words(
    "all always because completely each else entirely every everybody everyone everything exactly"
    " exclusively fully just least less merely more most much necessarily nearly one only quite"
    " simply solely sooner that totally until wholly"
)
# "Only five percent", "barely a part": so little that it may as well be denied.
ONLY = NEARLY_NONE | _words("just merely only")
AMOUNTS = _words(
    "few fifth fraction half hundredth little part percent quarter share tenth third twentieth"
)

# "No doubt", "no wonder", "no secret": what follows is affirmed.
CERTAINTIES = _words("accident coincidence doubt matter mystery question secret surprise wonder")

# Prepositions that leave out what follows.
EXCLUDING = _words("without against except unlike")

# --- verbs, nouns and adjectives that deny their complement ---

DENYING_VERBS = _words(
    "avoid ban block cease deny discontinue discourage disprove doubt fail forbid forget halt"
    " hinder impede inhibit keep lack neglect prevent prohibit protect quit refrain refuse refute"
    " restrain save stop"
)
DENYING_ONLY_WITH_FROM = _words("keep protect restrain save discourage block hinder")
DENYING_QUALITIES = _words(
    "false impossible incapable incorrect powerless unable unlikely untrue wrong inaccurate"
    " useless ineffective unsuitable"
)
DENYING_NOUNS = _words(
    "absence failure falsehood fallacy impossibility inability lack lie misconception myth"
    " refusal mistake error nonsense"
)
AFFIRMING_QUALITIES = _words("able certain clear correct likely possible right true sure proven")
# A denial of these is one of what they govern: "do not think that", "is not the case that".
THINKING = _words("believe expect feel imagine suppose think mean show prove find case fact truth")
# What is feared or hoped is left open.
FEARING = _words("afraid fear hope pretend suspect wish worried worry wonder")
# Nouns through which a denial reaches what hangs on them: "no chance to recover".
CHANCES = _words(
    "ability belief capacity chance claim evidence hope idea means need opinion opportunity"
    " possibility power proof reason right room sign theory time view way"
)

EXCLUSIONS = EXCLUDING | _words("instead rather")

# "Stop before finishing": what follows "before" does not come about.
ENDING = _words("abandon die drop end fail finish halt leave quit stop vanish")

# A sentence without any of these denies nothing.
DENIALS = frozenset().union(
    DENYING_ADVERBS,
    DENYING_PRONOUNS,
    DENYING_DETERMINERS,
    FEW,
    NEARLY_NONE,
    DENYING_VERBS,
    DENYING_QUALITIES,
    DENYING_NOUNS,
    _words("against without instead rather zero too before"),
)

# Verbs that say the same when subject and object change places.
SYMMETRIC = _words(
    "accompany adjoin balance combine differ equal face interact join marry match meet mix border"
    " neighbour resemble touch be have"
)

# --- conditions ---

CONDITIONS = _words("if unless provided providing whether lest")
TIMES = _words("when whenever until till once after before as while")
LESS = "less"
LESSENING = _words("less fewer worse")
LIMITS = _words("until till before except")

# --- words that say little by themselves ---

LIGHT_VERBS = _words(
    "be become begin bring come continue do get give go have help keep let make put remain seem"
    " show start take tend use"
)
LOSING = _words("lack lose")  # their objects are no longer there: "lost respect"
PERMITTING = _words("allow permit manage")
MANY = _words("abundant ample enough lot lots many numerous plenty several countless most")
PRO_FORMS = _words("one ones that those")

# Words that fill a sentence and are never aligned.
FILLERS = _words(
    "also even just very really quite rather too so such much more most less least many few little"
    " some any all each every other another same thing way lot lots plenty kind sort fact example"
    " however therefore thus then there here now today only well ever still yet almost nearly about"
    " around approximately often usually generally typically mostly mainly therefore be do have can"
    " could may might must shall should will would not never no hardly neither nor nobody nothing"
    " none without instead please one ones"
)


# Pairs of opposites, for the words that describe causes, quantities and changes.

_PAIRS = (
    "absorb reflect,absorb emit,accept reject,accelerate slow,add remove,aggravate ease"
    ",aggravate relieve,alive dead,allow forbid,allow prevent,allow stop,appear disappear"
    ",attract repel,begin end,begin stop,better worse,big small,bigger smaller,bright dark"
    ",black white,dark white,dark pale"
    ",cause prevent,cheap expensive,clean dirty,cold hot,cold warm,colder hotter,colder warmer"
    ",common rare,construct destroy,contract expand,cool hot,cool warm,cool heat,cooler hotter"
    ",cooler warmer,create destroy,dangerous safe,decline rise,decline grow,decline increase"
    ",decrease grow,decrease increase,decrease rise,deep shallow,deny confirm,die live,die survive"
    ",difficult easy,drop increase,drop rise,dry wet,dry moist,early late,earlier later"
    ",emit capture"
    ",empty full,enable prevent,encourage discourage,end start,enlarge shrink,enter leave"
    ",exclude include,fail succeed,fall grow,fall increase,fall rise,false true,far near,fast slow"
    ",faster slower,fewer more,find lose,finish start,finish stop,float sink,forget remember"
    ",forget store,freeze melt,gain lose,give take,good bad,grow shrink,guilty innocent"
    ",harm help,harmful harmless,harmful useful,heal harm,healthy ill,healthy sick,heavy light"
    ",help hinder,help prevent,hide reveal,high low,higher lower,hold release,hide show"
    ",improve worsen,improve harm,increase reduce,increase lower,indoor outdoor,inside outside"
    ",keep release,kill save,large small,larger smaller,lengthen shorten,less more,lift lower"
    ",long short,longer shorter,lose win,lower raise,many few,maximum minimum,mild serious"
    ",mild severe,multiply divide,narrow wide,natural artificial,negative positive,new old"
    ",open close,oppose support,permit prevent,plant cut,plenty lack,poor rich,poor wealthy"
    ",prevent promote,private public,promote suppress,protect damage,quick slow,quickly slowly"
    ",raise reduce,rare frequent,reduce enhance,release store,release retain,release trap"
    ",remove put,same different,sharpen blur,simple complex,start stop,store lose"
    ",strengthen weaken,strong weak,stronger weaker,thick thin,trap escape,useful useless"
    ",valuable worthless,win lose,worsen ease,young old,thrive wither,thrive die"
    ",abundant scarce,abundant rare,plentiful scarce,plentiful rare,sink rise,speed slow"
    ",accelerate delay,awake asleep,begin finish,block release,suppress release,continue stop"
    ",worse smaller,worsen lessen,worsen improve,worse less,grow lessen,strengthen lessen"
)


_PREPOSITIONS = "to from,into from,before after,above below,inside outside,for against,over under"
OPPOSITE_PREPOSITIONS = {
    preposition: opposite
    for pair in _PREPOSITIONS.split(",")
    for preposition, opposite in (pair.split(), reversed(pair.split()))
}


def _opposites() -> dict[str, frozenset[str]]:
    opposites: defaultdict[str, set[str]] = defaultdict(set)
    for pair in _PAIRS.split(","):
        first, second = (" ".join(stems(word)) for word in pair.split())
        opposites[first].add(second)
        opposites[second].add(first)
    return {stem: frozenset(others) for stem, others in opposites.items()}


OPPOSITES = _opposites()


def are_opposites(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether a stem of the first word is the opposite of a stem of the second."""
    return any(not second.isdisjoint(OPPOSITES.get(stem, ())) for stem in first)
