import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

// This module is preloaded into a gateway whose acquirer does not answer. Waits of a second and longer, such as those
// for an answer (20 s), for a reversal (5 s) and between echoes (60 s), take a twentieth of their time.

const SHORTENED_FROM_MS = 1_000
const DIVISOR = 20

const { setTimeout: wait } = timers

timers.setTimeout = (ms = 0, value, options) => wait(ms >= SHORTENED_FROM_MS ? ms / DIVISOR : ms, value, options)
syncBuiltinESMExports()
