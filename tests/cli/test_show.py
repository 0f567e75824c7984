"""What reaches the terminal is text, whatever the data hold."""

from consilience.cli.show import printable
from consilience.cli.show_ensemble import stability
from report.standin import make_result


def test_escape_sequences_in_names_are_spelled_out():
    assert printable("\x1b[31mred") == "\\x1b[31mred"
    assert printable("BRCA1 μ 基因") == "BRCA1 μ 基因"


def test_the_stability_is_that_over_training_sets_where_it_is_known():
    document = make_result(stability=0.82).to_dict()
    known = {"value": 0.45, "low": 0.4, "high": 0.5}
    document["evaluation"]["methods"][0]["stability"]["nogueira"] = known
    said = str(stability(document))
    assert said.startswith("Stability over training sets 0.45 (95 % interval 0.40 to 0.50)")
    assert said.endswith("Single selections from samples of the rows have 0.82.")
    document["evaluation"] = None
    assert str(stability(document)).startswith("Stability 0.82 (")
