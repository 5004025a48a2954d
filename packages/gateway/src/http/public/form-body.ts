import type { IncomingMessage } from 'node:http'
import { limits } from '../../limits.ts'
import { faults } from './faults.ts'

/** Why a body was not taken. */
export type BodyFault = typeof faults.tooLarge | typeof faults.cutOff

/**
 * Collects a request's body. The chunks are wiped once they are copied, so that a card number lives in one buffer only;
 * whoever decodes that buffer wipes it too.
 *
 * @param done gets the body, or why there is none
 */
export function readBody(stream: IncomingMessage, done: (body: Buffer | BodyFault) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  let settled = false
  const settle = (result: Buffer | BodyFault) => {
    if (settled) return
    settled = true
    if (!Buffer.isBuffer(result)) for (const chunk of chunks) chunk.fill(0)
    done(result)
  }
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (settled || bytes > limits.bodyBytesMax) {
      chunk.fill(0)
      settle(faults.tooLarge)
    } else {
      chunks.push(chunk)
    }
  })
  stream.on('end', () => settle(joined(chunks)))
  stream.on('aborted', () => settle(faults.cutOff))
  stream.on('error', () => settle(faults.cutOff))
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const whole = Buffer.concat(chunks)
  for (const chunk of chunks) chunk.fill(0)
  return whole
}

/**
 * Erases a body that nobody has read because the request was refused before: Node would drop its chunks as they are,
 * and what they hold would stay in memory.
 */
export function wipeUnread(stream: IncomingMessage): void {
  const { 'content-length': length, 'transfer-encoding': coding } = stream.headers
  if (stream.readableFlowing !== null || (length === undefined && coding === undefined)) return
  stream.on('error', () => undefined)
  stream.on('data', (chunk: Buffer) => chunk.fill(0))
}

/** "Content-Type application/x-www-form-urlencoded; charset=UTF-8": no charset, or that one (contract, Endpoints). */
export function isUtf8(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(contentType)?.[1]
  return charset === undefined || /^utf-?8$/i.test(charset)
}
