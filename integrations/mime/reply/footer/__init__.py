"""Finds what stands below the words of an author: signature, lines of devices, and what companies append."""
