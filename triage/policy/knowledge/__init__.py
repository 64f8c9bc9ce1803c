"""From articles to answers: passages, their ranking, answers quoted from them, and how far these can be believed."""
