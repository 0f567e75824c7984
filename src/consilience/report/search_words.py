"""What the parts of a searched committee are called: methods, rules, measures of diversity."""

from .text import clean_name, count, counted, number

# Method of `result.json` -> its name inside a sentence.
NAMES = {
    "ga": "GA",
    "gas-sefs": "GAS-SEFS",
    "hill-climbing": "hill climbing",
    "gefs": "GEFS",
    "whole-ensemble": "genetic search over whole committees",
    "sequential-selection": "sequential selection",
    "pareto": "the Pareto search",
    "random-subspace": "random subspaces",
    "search-committee": "a search",
}
# How the features of a member were found: a clause that follows "The features of a member were".
ORIGINS = {
    "ga": "bred in one population, which became the committee: a subset is worth what it gets "
    "right, and how it errs unlike the others",
    "gas-sefs": "bred in a population of its own: a subset is worth what it gets right, and how it "
    "errs unlike the members that were there already",
    "hill-climbing": "drawn at random, then changed one feature at a time as long as that made the "
    "member more accurate or more unlike the others",
    "gefs": "bred in one population, in which diversity counts more while it falls and less while "
    "the errors rise",
    "whole-ensemble": "bred together: an individual is a whole committee, worth what its vote gets "
    "right less a penalty on features",
    "sequential-selection": "chosen one after the other, as long as that made the member more "
    "accurate or more unlike the others",
    "pareto": "taken from the front of subsets that no other beats in both accuracy and diversity",
    "random-subspace": "drawn at random; nothing was searched for",
    "search-committee": "searched for",
}
RULES = {
    "vote": "a plain vote",
    "average": "the mean of their probabilities",
    "weighted": "a vote weighted by accuracy",
    "static": "the best member alone",  # see joined_said
    "dynamic_selection": "dynamic selection: for each row, the member that errs least nearby",
    "dynamic_voting": "dynamic voting: each member counts by how seldom it errs nearby",
    "dynamic_voting_selection": "dynamic voting with selection: of the members that err least "
    "nearby, each counts by how seldom it does",
}
DIVERSITIES = {
    "disagreement": "share of rows that exactly one of two members gets right",
    "kappa": "agreement of two members beyond chance (kappa), turned around",
    "label_disagreement": "share of rows that two members name differently",
    "q_statistic": "Yule's Q of being right, turned around",
    "correlation": "correlation of being right, turned around",
    "double_fault": "share of rows that two members get wrong together, turned around",
    "entropy": "how evenly the votes on a row are spread over the classes (entropy)",
    "ambiguity": "how far the vote of a member is from the votes of all (ambiguity)",
}
DYNAMIC = "dynamic_"  # how the rules begin that look at neighbours


def method_name(document: dict) -> str:
    """Return the name of the method, inside a sentence.

    Examples
    --------
    >>> from consilience.report.search_words import method_name
    >>> method_name({"method": "gas-sefs"})
    'GAS-SEFS'
    """
    return NAMES.get(document["method"], NAMES["search-committee"])


def origin(document: dict) -> str:
    """Return how the features of a member were found, as a clause."""
    found = ORIGINS.get(document["method"], ORIGINS["search-committee"])
    if document["method"] == "sequential-selection":
        backward = document["settings"].get("direction") == "backward"
        return found.replace("chosen", "left out") if backward else found
    return found


def rule_name(rule: str | None) -> str:
    """Return what a rule of integration does, in a few words.

    Examples
    --------
    >>> from consilience.report.search_words import rule_name
    >>> rule_name("vote"), rule_name("mine")
    ('a plain vote', 'mine')
    """
    return RULES.get(rule, clean_name(rule))


def short_rule(rule: str | None) -> str:
    """Return the name of a rule without its explanation."""
    return rule_name(rule).partition(":")[0]


def is_dynamic(document: dict) -> bool:
    """Return whether the committee looks at the neighbours of a row."""
    return str(document["committee"].get("integration")).startswith(DYNAMIC)


def alpha_said(document: dict) -> str:
    """Return the weight of diversity in words; empty where the method has none.

    Examples
    --------
    >>> from consilience.report.search_words import alpha_said
    >>> alpha_said({"committee": {"alpha": 2.0}}), alpha_said({"committee": {"alpha": None}})
    ('alpha 2', '')
    """
    alpha = document["committee"].get("alpha")
    if alpha is None:
        return ""
    # What changes on the way has a value in the end only.
    return f"alpha {figure(alpha)}{' in the end' if document.get('method') == 'gefs' else ''}"


def neighbours_used(document: dict) -> int | None:
    """Return how many neighbours there are to look at: no more than rows that were learned from.

    Examples
    --------
    >>> from consilience.report.search_words import neighbours_used
    >>> neighbours_used({"committee": {"n_neighbors": 500}, "data": {"n_samples": 60}})
    60
    """
    told, n_rows = document["committee"], document.get("data", {}).get("n_samples")
    wanted = told.get("n_neighbors")
    if wanted is None or n_rows is None:
        return wanted
    if document.get("settings", {}).get("refit") is False:
        n_rows -= told.get("n_validation") or 0  # which members did not learn from
    return min(wanted, n_rows)


def neighbours_said(document: dict) -> str:
    """Return the number of neighbours in words; empty where nobody looks at them.

    Examples
    --------
    >>> from consilience.report.search_words import neighbours_said
    >>> neighbours_said({"committee": {"n_neighbors": 15, "integration": "dynamic_voting"}})
    '15 neighbours'
    """
    used = neighbours_used(document)
    if used is None or not is_dynamic(document):
        return ""
    wanted = document["committee"]["n_neighbors"]
    said = counted(used, "neighbour")
    return said if used == wanted else f"{said}, all rows there are, of {count(wanted)} asked for"


def joined_said(document: dict, members: str) -> str:
    """Say how members become one, as a sentence.

    Examples
    --------
    >>> from consilience.report.search_words import joined_said
    >>> joined_said({"committee": {"integration": "static"}}, "Its members")
    'The best member answers alone.'
    >>> joined_said({"committee": {"integration": "vote"}}, "Its members")
    'Its members are joined by a plain vote.'
    """
    rule = document["committee"].get("integration")
    if document["committee"].get("n_members") == 1:
        return "It is the only member, and answers alone."
    if rule == "static":
        return "The best member answers alone."
    return f"{members} are joined by {short_rule(rule)}{in_brackets(neighbours_said(document))}."


def in_brackets(text: str) -> str:
    """Return a text as an aside; nothing stays nothing.

    Examples
    --------
    >>> from consilience.report.search_words import in_brackets
    >>> in_brackets("alpha 2"), in_brackets("")
    (' (alpha 2)', '')
    """
    return f" ({text})" if text else ""


def figure(value: float) -> str:
    """Return a number without zeros that say nothing.

    Examples
    --------
    >>> from consilience.report.search_words import figure
    >>> figure(2.0), figure(0.25)
    ('2', '0.25')
    """
    return number(value, 2).rstrip("0").rstrip(".") if value % 1 else count(value)
