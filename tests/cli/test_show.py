"""What reaches the terminal is text, whatever the data hold."""

from consilience.cli.show import printable


def test_escape_sequences_in_names_are_spelled_out():
    assert printable("\x1b[31mred") == "\\x1b[31mred"
    assert printable("BRCA1 μ 基因") == "BRCA1 μ 基因"
