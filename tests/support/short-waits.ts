import { syncBuiltinESMExports } from 'node:module'
import callbackTimers from 'node:timers'
import timers from 'node:timers/promises'

// This module is preloaded into a gateway whose acquirer does not answer. Waits of a second and longer, such as those
// for an answer (25 s), for a reversal (5 s) and between echoes (60 s), take a twentieth of their time.

const SHORTENED_FROM_MS = 1_000
const DIVISOR = 20

const { setTimeout: wait } = timers
const { setTimeout: startTimer } = callbackTimers
const shortened = (ms = 0): number => (ms >= SHORTENED_FROM_MS ? ms / DIVISOR : ms)

timers.setTimeout = (ms, value, options) => wait(shortened(ms), value, options)
callbackTimers.setTimeout = Object.assign(
  (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => startTimer(work, shortened(ms), ...args),
  startTimer,
)
syncBuiltinESMExports()
