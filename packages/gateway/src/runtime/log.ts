import sonicBoom from 'sonic-boom'
import type { LogLevel } from '../config.ts'
import { lastOf, type Log } from '@tollgate/operations'
import { limits } from '../limits.ts'

const severity = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY } as const

const timeOf = lastOf((ms: number) => new Date(ms).toISOString())

/**
 * A log that gathers lines into blocks. Every payment writes a line, and to hand over each by itself costs several
 * times as much as to make it.
 *
 * @param threshold what is less severe is not made at all
 * @param write gets whole lines
 */
export function createLog(threshold: LogLevel, write: (lines: string) => void): Log {
  let block = ''
  const flush = () => {
    if (block === '') return
    write(block)
    block = ''
  }
  const line = (level: 'info' | 'warn' | 'error'): Log['info'] => {
    if (severity[level] < severity[threshold]) return () => undefined
    return (fields) => {
      block += `{"level":"${level}","time":"${timeOf(Date.now())}",${JSON.stringify(fields).slice(1)}\n`
      if (block.length >= limits.logBlockChars) flush()
    }
  }
  return { info: line('info'), warn: line('warn'), error: line('error'), flush }
}

/**
 * Opens the log on standard output. Lines arrive at the latest after half a second and when the process ends. Where
 * nobody takes them, a bounded number waits and the rest is dropped: payments go on.
 */
export function openLog(threshold: LogLevel): Log {
  const output = new sonicBoom.SonicBoom({ fd: 1, sync: false, maxLength: limits.logWaitingBytes })
  output.on('error', () => undefined)
  const log = createLog(threshold, (lines) => output.write(lines))
  setInterval(log.flush, limits.logFlushMs).unref()
  process.once('exit', () => {
    log.flush()
    output.flushSync()
  })
  return log
}
