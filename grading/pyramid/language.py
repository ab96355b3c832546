"""Whether a text is English, and what else it looks like.

A language is recognised by its function words, or by its script. Of the two errors only one hurts:
English that is called foreign. So another language must be shown by several different function
words, and by many more than English has. What is in quotation marks or brackets counts only where
the rest decides nothing. Names, terms and formulas, which have no function words, decide nothing.
Norwegian and Danish, or Croatian and Serbian, may be taken for each other.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

# ruff: noqa: RUF001 - other languages have letters that look like those of English

_MOST_CHARACTERS = 100_000  # what begins in one language goes on in it
_LEAST_WORDS = 10  # fewer tell too little
_LEAST_BESIDES_QUOTATIONS = 5
_LEAST_LETTERS = 30  # of a script that few languages use
_LEAST_ENGLISH = 0.12  # share of function words; in prose it is .4 and more
_SURELY_ENGLISH = 0.25
_LEAST_FOREIGN = 0.18
_LEAST_DIFFERENT = 4  # words that tell of a foreign language
_LEAST_KNOWN = 3  # of them in its list, not told by their looks alone
_AS_MUCH_AS_ENGLISH = 1.5

_UNREAD = re.compile(r"(?:https?://|www\.)\S+|<[^<>\s]*>")
_NOT_LATIN = re.compile("[\u0370-\u1dff\u1f00-\u1fff\u2e80-\ud7ff\uf900-\ufdff\ufe70-\U0003ffff]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_QUOTED = re.compile(
    r"\u201c[^\u201c\u201d]*\u201d|\u201e[^\u201c\u201d\u201e]*[\u201c\u201d]|\"[^\"]*\""
    r"|\u00ab[^\u00ab\u00bb]*\u00bb|\([^()]*\)|\[[^\[\]]*\]"
)


@dataclass(frozen=True, slots=True)
class Language:
    """A language, by its English name."""

    name: str


ENGLISH = Language("English")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH_WORDS = _words(
    "about above after again all also although always am an and another any anything are aren't"
    " around as at away be became because become becomes becuase been before being below between"
    " both but by can can't cannot could couldn't cuz did didn't do does doesn't doing don't"
    " dont down during each either else even ever every everyone everything few for from gets"
    " had has hasn't have haven't having he her here him his how however if in into is isn't it"
    " it's its itself just less like made make makes many may me might more most much must my"
    " neither never no nobody nor not nothing now of off often on once one only or other others"
    " our out over own per same says she should shouldn't since so some someone something still"
    " such than that that's the their them themselves then there there's therefore these they"
    " they're thier thing things this those though through to too toward two under until up upon"
    " us use used very was wasn't we well were weren't what when where whether which while who"
    " whole whose why will with within without won't would wouldn't you your"
)
# Words of English that are function words elsewhere, and so show nothing.
_ENGLISH_TOO = _words(
    "ad air ant ate ban be bin bio bit care come dan dare data dig do dos due ember end era fin"
    " fort go ham hat he her hun id in is main man me men mid min mind mine mint most my net nun"
    " on pagan par per pi pia plus pod pose post pot pour pro sale sang sin sine sit sole solo"
    " son sub sun ten to war was we wet will"
)

_FUNCTION_WORDS = {
    "Spanish": (
        "al algo aunque cada como con cosas cuando de del desde donde durante el ella ellos en"
        " entre era es esta estar estas este esto estos está están fue fueron gran hace hacia han"
        " hasta hay la las le les lo los lugar mayor más mismo mucho muchos muy ni nos nosotros"
        " otra otro otros para parte pero poco por porque puede pueden que qué quien se según ser"
        " si sido sin sobre solo son su sus sí también tan tanto tiene tienen toda todas todo"
        " todos tu un una uno unos usted ya yo él"
    ),
    "Portuguese": (
        "ainda ao está aos até com como da das de dela dele depois do dos e ela elas ele eles em"
        " entre era essa esse esta este eu foi foram há isso isto já lhe mais mas mesmo muito"
        " muitos na nas nem no nos não nós o os ou outra outras outro outros para pela pelas pelo"
        " pelos pode podem por porque qual quando que quem se seja sem ser seu seus sobre sua suas"
        " são também tem ter toda todas todo todos tudo têm um uma umas uns você à às é"
    ),
    "French": (
        "afin ainsi alors après au aussi autre autres aux avant avec beaucoup bien c'est ce cela"
        " ces cet cette chaque chez comme comment d'un d'une dans de depuis des donc du elle elles"
        " en encore entre est et eux fait il ils j'ai je l'on la le les leur leurs lorsque lui"
        " mais moins même n'est ne nous on ont ou où par parce pas pendant peu peut peuvent plus"
        " pour pourquoi qu'il qu'un que quand qui sans se sera ses si soit son sont sous sur très"
        " tous tout toute toutes un une vers vous à été être"
    ),
    "Italian": (
        "agli ai al alla alle anche ancora avere che chi ci come con cosa così cui da dagli dai"
        " dal dalla dalle degli dei del dell della delle dello di dopo dove due e ed era essere"
        " fra fino gli ha hanno il in io la le lo loro ma molte molti molto ne negli nei nel nell"
        " nella nelle nello noi non nostro o ogni per perché perciò più poi possono prima può"
        " qualche quale quando quanto quello questa queste questi questo quindi se sempre senza si"
        " sia solo sono sopra sta stato su sua sue sui sul sulla suo suoi tra tutti tutto un una"
        " uno è"
    ),
    "Catalan": (
        "aquest aquesta aquests així això al als amb aquestes cada com de del dels després des en"
        " entre era els ens es està estan et fer fins ha han hi ho i les llavors li mentre molt"
        " molts més no nosaltres o on pel pels per perquè però pot poden qual quan que qui sense"
        " ser seu seva seus si sobre són també te tenen tot tota tots un una unes uns va és"
    ),
    "Romanian": (
        "această acest acesta aceste acestea acolo ai ale are au ca care ce cea cei cel cele"
        " chiar cu cum când că da dar de deci decât din dintre după ei el ele era este eu fi"
        " fiecare fost foarte fără iar ia la le lor lui mai mult multe mulți ne nu noi nici o"
        " oameni pe pentru poate pot prin sa sau se său sunt sub să și tot toate toți un una unde"
        " unei unor unui va în într îi își"
    ),
    "German": (
        "aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim"
        " bis bin da dabei damit dann das dass dem den denn der des deshalb dessen diese dieser"
        " dieses doch dort durch ein eine einem einen einer eines er es etwas für gegen gibt haben"
        " hat hatte ich ihm ihn ihnen ihr ihre im immer in ist ja jede jeder jedoch kann kein"
        " keine können man mehr mein mit muss nach nicht nichts noch nur ob oder ohne schon sehr"
        " sein seine sich sie sind sollte sondern und uns unter viel viele vom von vor war waren"
        " warum was wegen weil wenn werden wie wieder wird wir wurde wurden zu zum zur zwischen"
        " über"
    ),
    "Dutch": (
        "aan al alle alleen als altijd andere ben bij dan dat de deze dit door dus een er ergens"
        " geen geweest haar had hebben heeft heel hem het hier hij hoe hun ik in is ja je kan"
        " kunnen maar maken meer men met mijn moet moeten naar niet niets nog nu of om omdat ons"
        " ook op over te tegen toch toen tot tussen uit van veel voor want waren was wat we wel"
        " werd wie wij wordt worden zal ze zei zich zij zijn zo zonder zou zoals"
    ),
    "Swedish": (
        "alla allt att av bara bli blir blev där de dem den denna dess det detta dig din du då"
        " efter ej eller en er ett finns från för genom ha hade han hans har hon hur här i icke"
        " inte jag ju kan kommer kunde man med mellan men mer min mot mycket många måste ni nu när"
        " någon något några också och om oss på samma sedan sig sin sina ska skulle som så till"
        " under ut utan vad var vara varit vem vi vid vilken än är över"
    ),
    "Danish": (
        "af alle alt andre at blev blive bliver da de dem den denne der deres det dette dig du"
        " efter eller en end er et få for fordi fra før gennem går ham han hans har have havde hun"
        " hvad hver hvis hvor hvordan i ikke ind ja jeg kan kom kunne man mange med meget mellem"
        " men mere mod måtte nu når nogen noget nogle og også om op os over på sammen selv sig"
        " skal skulle som så til ud uden under var ved vi vil være været"
    ),
    "Norwegian": (
        "alle alt andre av at ble bli blir bare da de dem den denne der deres det dette du eller"
        " en enn er et etter få for fordi fra før gjennom gjør han hans har hadde hun hva hver"
        " hvis hvor hvordan i ikke inn ja jeg kan kunne man mange med meg mellom men mer mot mye"
        " må nå når noe noen og også om opp oss over på sammen seg selv skal skulle som så til ut"
        " uten under var ved vi vil være vært"
    ),
    "Finnish": (
        "eli ei eivät emme en että ennen hän häntä he heidän hyvin ihmiset ihmisten ja jo joka"
        " joku jolloin jonka jos josta jotka joten jotta kaikki kanssa koko koska kuin kuinka"
        " kuitenkin kun kuten läpi me mikä mikään missä mitä monet monta mukaan mukana mutta muut"
        " myös niiden niin niitä nämä nyt olemme oli olivat olisi olla on ovat paljon pois saa se"
        " sekä sen siitä siinä sillä sitten sitä tai tällä tämä tämän vaan vai vain vaikka voi"
        " voidaan voivat yli"
    ),
    "Hungarian": (
        "a ahol ahogy aki akik akkor amely amelyek ami amikor az azért azok azonban azt be benne"
        " csak de e egy egyik el ember ez ezek ezért ezt fel ha hanem hogy hogyan igen is így kell"
        " ki kis között közötti le lehet lesz lett meg mert mi miatt mint mindig minden mely nagy"
        " nagyon ne nem nincs olyan pedig s sem sok szerint több után vagy vagyis van vannak volt"
        " voltak és én ő ők"
    ),
    "Polish": (
        "aby ale albo bardzo bez bo być by był była było były co czy dla do gdy gdyż go i ich im"
        " ja jak jako je jego jej jest jeśli już każdy kiedy kto która które który których lub ma"
        " mają między może mogą można na nad nawet nie niż o od oraz po pod podczas ponieważ przed"
        " przez przy są się swoje ta tak także tam te tego tej temu ten też to tych tylko tym u w"
        " we więc wszystko wszystkie z za ze że żeby"
    ),
    "Czech": (
        "a aby ale ani ano asi až bez bude by byl byla bylo byly být co což do ho i jak jako je"
        " jeho její jejich jen ještě jestli již jsem jsme jsou k kde kdo když která které který ke"
        " li má mají mezi mnoho může mohou na nad nebo není než o od po pod podle pokud pro proto"
        " protože před při s se si ta tak také takže tato tedy ten tento to tohoto tu tyto u už v"
        " ve velmi však všechny všechno z za ze že"
    ),
    "Croatian": (
        "a ako ali bez bi bila bilo biti bio će da do drugi dok gdje go i ih ili iz iznad je jer"
        " jedan jedna još kad kada kako kao kod koja koje koji kojih koju ku li ljudi može mogu"
        " među mnogo na nakon ne nego neki nema ni nije njih od oko on ona oni ovaj ovo po pod pre"
        " prema preko pri prije s sa samo se sebe si smo su sve svi svih što šta ta taj tako to u"
        " uz vrlo već više za zato zbog"
    ),
    "Turkish": (
        "acaba ama ancak aynı bazı bile bir biri biz bu bunlar bunu bunun böyle çok çünkü da daha"
        " de değil diye en fakat gibi göre hem hep her herkes hiç için ile ise kadar ki kim mi mu"
        " mü nasıl ne neden nerede o olan olarak oldu olduğu olduğunu olur onlar onu onun oysa pek"
        " sadece sonra şey şu tarafından tüm üzerinde ve veya var vardır ya yok zaman"
    ),
    "Indonesian": (
        "ada adalah agar akan aku anda antara apa atau bagi bahwa banyak beberapa bisa bukan"
        " dalam dan dapat dari dengan dia di dua hal hanya harus ia ini itu jika juga kami karena"
        " kata ke kepada ketika kita lagi lain lebih maka mana masih mereka merupakan namun oleh"
        " orang pada paling para pernah saat saja salah sangat satu saya sebagai secara sehingga"
        " seperti sebuah semua serta setiap sudah suatu tahun telah tersebut tetapi tidak untuk"
        " yaitu yang"
    ),
    "Tagalog": (
        "aking ako alin ang ano at ating atin ay ayon bagay bakit bawat dahil dapat dati din doon"
        " gaya habang hanggang hindi ito iyon ka kanila kanilang kanya kanyang kapag kasi kay kaya"
        " ko kung lahat lamang lang mag maging marami maraming may mayroon mga mo na nang nasa"
        " natin ng ngunit ni nila nito niya noon o pa pag para pero rin sa sapagkat si sila siya"
        " tao tayo tulad upang wala"
    ),
    "Vietnamese": (
        "bằng bị các cách cái có còn cho chúng chỉ con của cũng cùng do đang đã đây để đến đi"
        " điều đó được giữa hay hoặc hơn khi không là làm lại lên mà một mỗi mọi nào này nên nếu"
        " như nhưng nhiều những nó nước phải qua ra rằng rất rồi sau sẽ sự ta tại thì theo thể"
        " thành tôi trên trong trước từ và vào vẫn vậy vì với vật về việc"
    ),
    "Swahili": (
        "ama au baada bado bila cha hadi hata haya hii hili hivyo hiyo huo huu ili ingawa juu"
        " kabla kama karibu katika kila kisha ku kubwa kuhusu kutoka kuwa kwa kwamba kwani la"
        " lakini lazima maana mara mbali mengi mtu mwa na nayo ndani ni pia sana sasa si tu vya wa"
        " wake wakati wao watu wengi wote ya yake yao yote za zaidi zake"
    ),
    "Haitian Creole": (
        "ak anpil ant anvan ap apre avèk ba chak depi dwe fè gen genyen jan ka kapab ke ki kote"
        " kou kòm la lan le li lè lòt men menm mwen nan nou oswa ou paske pa pi plis pou pral"
        " poutèt sa san se si sou tankou te tou tout yo yon youn"
    ),
    "Somali": (
        "ah ahaa ama aan aad ay ayaa ayay badan baa ee ha hadii iyo ka kale karaa kasta ku kuwa"
        " la lagu laga leh looga ma marka markii mid oo sababtoo si sida sidoo soo u uga ugu uu"
        " waa waxa waxaa waxay waxuu wuxuu"
    ),
    "Latin": (
        "ab ac ad atque aut autem cum de dum ego enim eius erat esse est et etiam ex haec hic hoc"
        " iam id igitur illa ille in ipse ita me nam ne nec neque non nos nunc ob omnes omnia per"
        " post pro quae quam qui quia quid quidem quo quod quoque sed si sic sine sit sub sunt"
        " tamen te tu ut vel vero"
    ),
}
# Letters and endings of words in lower case that speak for a language as its function words do.
_LOOKS = {
    "Spanish": "ñ|ción$",
    "Portuguese": "[ãõç]",
    "French": "œ|^(?:[ldjnmst]|qu)'",
    "Romanian": "[ățţșş]",
    "German": "ß|[a-zäöü]{3}(?:ung|keit|lich)$",
    "Finnish": "(?:ssa|ssä|lla|llä|sta|stä|aan|ään|vat|vät|inen|tta|ttä)$",
    "Hungarian": "[őű]|(?:ság|ség|ban|ben|nak|nek)$",
    "Polish": "[łąęśźż]",
    "Czech": "[řěů]",
    "Croatian": "[ćđ]|anja$|enja$",
    "Turkish": "[ğı]|(?:lar|ler|dır|dir|ları|leri)$",
    "Vietnamese": "[ơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệịỉọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]",
}

# Each script from its first code point on; "" is none, or one of several languages.
_SCRIPTS = (
    *((0, "Latin"), (0x250, ""), (0x370, "Greek"), (0x400, "Russian"), (0x530, "Armenian")),
    *((0x590, "Hebrew"), (0x600, "Arabic"), (0x700, ""), (0x750, "Arabic"), (0x780, "")),
    *((0x900, "Hindi"), (0x980, "Bengali"), (0xA00, "Punjabi"), (0xA80, "Gujarati")),
    *((0xB00, "Odia"), (0xB80, "Tamil"), (0xC00, "Telugu"), (0xC80, "Kannada")),
    *((0xD00, "Malayalam"), (0xD80, "Sinhala"), (0xE00, "Thai"), (0xE80, "Lao")),
    *((0xF00, "Tibetan"), (0x1000, "Burmese"), (0x10A0, "Georgian"), (0x1100, "Korean")),
    *((0x1200, "Amharic"), (0x13A0, ""), (0x1780, "Khmer"), (0x1800, ""), (0x1E00, "Latin")),
    *((0x1F00, "Greek"), (0x2000, ""), (0x3040, "Japanese"), (0x3100, ""), (0x3400, "Chinese")),
    *((0xA000, ""), (0xAC00, "Korean"), (0xD7B0, ""), (0xF900, "Chinese"), (0xFB00, "")),
    *((0xFB50, "Arabic"), (0xFE00, ""), (0xFE70, "Arabic"), (0xFF00, ""), (0x20000, "Chinese")),
    (0x30000, ""),
)
_STARTS = [start for start, _ in _SCRIPTS]
# What the letters of a script make of its commonest language, the first that has many of them.
_LETTERS = {
    "Russian": {"Russian": "ыэё", "Ukrainian": "іїєґ", "Serbian": "јљњћђџ", "Bulgarian": "ъ"},
    "Arabic": {"Urdu": "ٹڈڑںےہ", "Persian": "پچژگی"},
}
_MANY = 0.01  # of all its letters
_WEIGHTS = {"Chinese": 2.5, "Japanese": 2.5, "Korean": 2.5}  # letters are syllables, or words
_FUNCTION_WORDS_OF = {
    name: _words(words) - _ENGLISH_WORDS - _ENGLISH_TOO for name, words in _FUNCTION_WORDS.items()
}
_LANGUAGES_WITH = Counter(word for words in _FUNCTION_WORDS_OF.values() for word in words)
_LOOK_OF = {name: re.compile(look) for name, look in _LOOKS.items()}


def language_of(content: str) -> Language | None:
    """The language that most of a text is in; None where that is unclear."""
    composed = unicodedata.normalize("NFC", content[:_MOST_CHARACTERS]).replace("\u2019", "'")
    readable = _UNREAD.sub(" ", composed)
    besides = _QUOTED.sub(" ", readable)
    return _language_by_words(besides, _LEAST_BESIDES_QUOTATIONS) or _language_by_words(
        readable, _LEAST_WORDS
    )


def _language_by_words(content: str, least_words: int) -> Language | None:
    return _by_script(content) or _by_function_words(content, least_words)


# --- scripts ---


def _by_script(content: str) -> Language | None:
    """By the script of most letters; what has one letter is a symbol, such as an angle."""
    if not _NOT_LATIN.search(content):
        return None
    words = (word for word in content.lower().split() if len(word) > 1)
    letters = [character for word in words for character in word if character.isalpha()]
    counts = Counter(_script(letter) for letter in letters)
    if counts["Japanese"] * 10 > counts["Chinese"]:
        counts["Japanese"] += counts.pop("Chinese", 0)
    weights = {script: count * _WEIGHTS.get(script, 1) for script, count in counts.items()}
    script, weight = max(weights.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    if script in {"", "Latin"} or weight < max(_LEAST_LETTERS, sum(weights.values()) / 2):
        return None
    return Language(_by_letters(script, letters))


def _script(letter: str) -> str:
    return _SCRIPTS[bisect_right(_STARTS, ord(letter)) - 1][1]


def _by_letters(script: str, letters: Sequence[str]) -> str:
    counts = Counter(letters)
    for name, own in _LETTERS.get(script, {}).items():
        if sum(counts[letter] for letter in own) >= _MANY * len(letters):
            return name
    return script


# --- function words ---


def _by_function_words(content: str, least_words: int) -> Language | None:
    words = _words_of(content)
    if len(words) < least_words:
        return None
    english = sum(word.lower() in _ENGLISH_WORDS for word in words)
    if english >= _SURELY_ENGLISH * len(words):
        return ENGLISH
    uncapitalised = Counter(_uncapitalised(words))
    shares = {name: _share_in_language(name, uncapitalised) for name in _FUNCTION_WORDS_OF}
    best = max(shares, key=lambda name: shares[name].rank)
    if shares[best].exceeds(english, len(words)):
        return Language(best)
    return ENGLISH if english >= _LEAST_ENGLISH * len(words) else None


def _words_of(content: str) -> list[str]:
    """Words of more than one letter; without capitals where there is little else."""
    words = [word for word in _WORD.findall(content) if len(word) > 1]
    is_shouted = sum(word.isupper() for word in words) * 2 > len(words)
    return [word.lower() for word in words] if is_shouted else words


def _uncapitalised(words: Sequence[str]) -> Iterator[str]:
    """Without names, nor what is within them: "Charles de Gaulle"."""
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        if word.islower() and not (before[:1].isupper() and after[:1].isupper()):
            yield word


@dataclass(frozen=True, slots=True)
class _Share:
    """How many words of a text tell of a language, how many of them differ, are listed."""

    count: int
    different: int
    known: int
    rank: float

    def exceeds(self, english: int, words: int) -> bool:
        return (
            self.different >= _LEAST_DIFFERENT
            and self.known >= _LEAST_KNOWN
            and self.count >= _LEAST_FOREIGN * words
            and self.count >= _AS_MUCH_AS_ENGLISH * english
        )


def _share_in_language(name: str, words: Mapping[str, int]) -> _Share:
    """A word that several languages have speaks for each of them by as much less."""
    known, look = _FUNCTION_WORDS_OF[name], _LOOK_OF.get(name)
    typical = {
        word: 1 / _LANGUAGES_WITH.get(word, 1)
        for word in words
        if word in known or (look and word not in _LANGUAGES_WITH and look.search(word))
    }
    return _Share(
        count=sum(words[word] for word in typical),
        different=len(typical),
        known=len(typical.keys() & known),
        rank=sum(words[word] * weight for word, weight in typical.items()),
    )
