import pino from 'pino'
import type { Config } from './config.ts'
import { lastOf } from './last-of.ts'

/**
 * Lines of JSON on standard output. A line names what happened (request id, entity, operation, result code, duration)
 * and never carries a body, a header, a query string or a parameter's value: what is not given cannot leak.
 */
export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'flush' | 'isLevelEnabled'>

/** The member that pino puts into every line. */
const time = lastOf((ms: number) => `,"time":"${new Date(ms).toISOString()}"`)

const BUFFER_BYTES = 8 * 1024
const FLUSH_EVERY_MS = 500

/** Opens the log. Lines are written in blocks, at the latest after half a second and when the process ends. */
export function openLog(config: Pick<Config, 'logLevel'>): Log {
  const destination = pino.destination({ fd: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_EVERY_MS })
  return pino({ level: config.logLevel, base: null, timestamp: () => time(Date.now()) }, destination)
}
