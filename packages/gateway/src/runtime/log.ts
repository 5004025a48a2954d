import sonicBoom from 'sonic-boom'
import type { LogLevel } from '../config.ts'
import { memoizeLast, type Log } from '@tollgate/operations'
import { limits } from '../limits.ts'

const severity = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY } as const

const timeOf = memoizeLast((ms: number) => new Date(ms).toISOString())

/**
 * Creates a log that collects lines in blocks. Every payment writes a line, and writing each line separately would cost
 * several times as much as the line.
 *
 * @param threshold the lowest level that is logged
 * @param write writes whole lines
 */
export function createLog(threshold: LogLevel, write: (lines: string) => void): Log {
  let block = ''
  const flush = () => {
    if (block === '') return
    write(block)
    block = ''
  }
  const writerOf = (level: 'info' | 'warn' | 'error'): Log['info'] => {
    if (severity[level] < severity[threshold]) return () => undefined
    return (fields) => {
      block += `{"level":"${level}","time":"${timeOf(Date.now())}",${JSON.stringify(fields).slice(1)}\n`
      if (block.length >= limits.logBlockChars) flush()
    }
  }
  return { info: writerOf('info'), warn: writerOf('warn'), error: writerOf('error'), flush }
}

/**
 * Opens the log on standard output. Lines are written after half a second at the latest and when the process ends. If
 * the output is not read, a bounded number of lines waits and further lines are dropped, so that payments proceed.
 *
 * @param fd the file descriptor of another output
 */
export function openLog(threshold: LogLevel, fd = 1): Log {
  const output = new sonicBoom.SonicBoom({ fd, sync: false, maxLength: limits.logWaitingBytes })
  output.on('error', () => undefined)
  const log = createLog(threshold, (lines) => output.write(lines))
  setInterval(log.flush, limits.logFlushMs).unref()
  process.once('exit', () => {
    log.flush()
    output.flushSync()
  })
  return log
}
