"""Published statements beside what the same protocol gives here; one file per paper."""
