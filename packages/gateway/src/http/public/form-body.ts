import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { limits } from '../../limits.ts'
import type { TenantQueue } from '../../throttle/fair-queue.ts'
import { faults } from '../faults.ts'

/** Reasons to reject a body. */
export type BodyFault = typeof faults.tooLarge | typeof faults.tooMany | typeof faults.cutOff

/**
 * Creates a reader of request bodies. Each chunk is wiped once it is copied, so that a card number is in one buffer
 * only; the decoder wipes that buffer.
 *
 * @param budgetBytes bound on all bodies in progress together; a request that exceeds it is rejected
 * @returns the reader, which counts the bytes in the merchant's queue while they arrive, and calls `done` with the body
 *   or with the reason for the rejection
 */
export function bodyReader(budgetBytes: number) {
  let totalBytes = 0
  return function readBody(
    stream: IncomingMessage,
    queue: Pick<TenantQueue, 'bodyBytes'> = { bodyBytes: 0 },
    done: (body: Buffer | BodyFault) => void,
  ): void {
    const chunks: Buffer[] = []
    let bytes = 0
    let isDone = false
    const finish = (result: Buffer | BodyFault) => {
      if (isDone) return
      isDone = true
      totalBytes -= bytes
      queue.bodyBytes -= bytes
      if (!Buffer.isBuffer(result)) for (const chunk of chunks) chunk.fill(0)
      done(result)
    }
    stream.on('data', (chunk: Buffer) => {
      const { length } = chunk
      const fits = totalBytes + length <= budgetBytes && queue.bodyBytes + length <= limits.merchantBodiesBytesMax
      if (!isDone && fits && bytes + length <= limits.bodyBytesMax) {
        bytes += length
        totalBytes += length
        queue.bodyBytes += length
        chunks.push(chunk)
      } else {
        chunk.fill(0)
        finish(bytes + length > limits.bodyBytesMax ? faults.tooLarge : faults.tooMany)
      }
    })
    stream.on('end', () => finish(joined(chunks)))
    stream.on('aborted', () => finish(faults.cutOff))
    stream.on('error', () => finish(faults.cutOff))
  }
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const whole = Buffer.concat(chunks)
  for (const chunk of chunks) chunk.fill(0)
  return whole
}

export const FORM_TYPE = 'application/x-www-form-urlencoded'

const usualTypes: ReadonlySet<string> = new Set([FORM_TYPE, `${FORM_TYPE}; charset=UTF-8`])

/** "Content-Type application/x-www-form-urlencoded; charset=UTF-8": no charset, or that one (contract, Endpoints). */
export function isForm(headers: IncomingHttpHeaders): boolean {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers
  // The spellings of most clients need no parsing.
  if (usualTypes.has(type) && coding === 'identity') return true
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(type)?.[1]
  const isUtf8 = charset === undefined || /^utf-?8$/i.test(charset)
  return type.split(';', 1)[0]?.trim().toLowerCase() === FORM_TYPE && isUtf8 && coding.toLowerCase() === 'identity'
}
