"""Models that find or write distractors: how they are trained, and asked for candidates."""
