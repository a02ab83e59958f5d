"""Where text comes from: fetching, reading, tokenising, and the encoded corpus on disk."""
