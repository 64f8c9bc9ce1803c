"""The knowledge base: reads its sources, and what people look at."""
