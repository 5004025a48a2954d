// This module is preloaded into a gateway whose machine has a clock that is a minute behind that of its peers.

const BEHIND_MS = 60_000

const { now } = Date
Date.now = () => now() - BEHIND_MS
