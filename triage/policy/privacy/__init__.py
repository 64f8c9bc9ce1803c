"""What of a mail may be seen by whom: secrets by nobody, personal data not by a model's provider."""
