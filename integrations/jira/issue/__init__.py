"""One issue: fields, comments, files, links."""
