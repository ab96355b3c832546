"""Pairs of opposites, for the words that describe causes, quantities and changes."""

from collections import defaultdict

from grading.pyramid.encoders.wtmf import stems

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
