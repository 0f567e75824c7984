"""The report: one HTML page that answers which features hold up and how surely.

Two steps that never mix. `summarise` turns a result into a plain dict of everything the page
says (`answer`, `agreement`, `profiles` and `repeat` compute its parts); `render` pours such a dict
into the templates, with `figures` turning its numbers into plotly specifications. To change what
is said, change the first; to change how it looks, the second.
"""
