"""Parts of scripts/compare."""
