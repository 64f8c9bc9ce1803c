"""One file per mail provider: is it really you, and what did you bring?"""
