"""Charts of the insights: drawn here, as tables, and for spreadsheets."""
