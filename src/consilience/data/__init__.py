"""From a file to a table: readers, packed binary columns, the demo data and data of known truth.

`table` says what a table is, `readers` finds the reader for a file, one module per format does the
reading, `bits` packs zeros and ones, `demo` and `planted` give data to try things on. Nothing is
imported here, so that a command pays only for what it uses.
"""
