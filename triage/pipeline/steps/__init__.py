"""The steps, one verb each: a case goes in, a case comes out."""
