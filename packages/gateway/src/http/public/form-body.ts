import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { limits } from '../../limits.ts'
import type { TenantQueue } from '../../throttle/fair-queue.ts'
import { faults } from '../faults.ts'

/** Why a body was not taken. */
export type BodyFault = typeof faults.tooLarge | typeof faults.tooMany | typeof faults.cutOff

/**
 * Collects the bodies of requests. Each chunk is wiped once it is copied, so that a card number is in one buffer only;
 * the decoder wipes that buffer.
 *
 * @param budgetBytes for all bodies in progress together; a request beyond it is rejected
 * @returns the reader: it adds the body's bytes to its merchant's, and its `done` gets the body, or the reason why
 *   there is none
 */
export function bodyReader(budgetBytes: number) {
  let heldBytes = 0
  return function readBody(
    stream: IncomingMessage,
    queue: Pick<TenantQueue, 'bodyBytes'> = { bodyBytes: 0 },
    done: (body: Buffer | BodyFault) => void,
  ): void {
    const chunks: Buffer[] = []
    let bytes = 0
    let settled = false
    const settle = (result: Buffer | BodyFault) => {
      if (settled) return
      settled = true
      heldBytes -= bytes
      queue.bodyBytes -= bytes
      if (!Buffer.isBuffer(result)) for (const chunk of chunks) chunk.fill(0)
      done(result)
    }
    stream.on('data', (chunk: Buffer) => {
      const { length } = chunk
      const fits = heldBytes + length <= budgetBytes && queue.bodyBytes + length <= limits.merchantBodiesBytesMax
      if (!settled && fits && bytes + length <= limits.bodyBytesMax) {
        bytes += length
        heldBytes += length
        queue.bodyBytes += length
        chunks.push(chunk)
      } else {
        chunk.fill(0)
        settle(bytes + length > limits.bodyBytesMax ? faults.tooLarge : faults.tooMany)
      }
    })
    stream.on('end', () => settle(joined(chunks)))
    stream.on('aborted', () => settle(faults.cutOff))
    stream.on('error', () => settle(faults.cutOff))
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

const usual: ReadonlySet<string> = new Set([FORM_TYPE, `${FORM_TYPE}; charset=UTF-8`])

/** "Content-Type application/x-www-form-urlencoded; charset=UTF-8": no charset, or that one (contract, Endpoints). */
export function isForm(headers: IncomingHttpHeaders): boolean {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers
  // As most clients write it; the rest is read.
  if (usual.has(type) && coding === 'identity') return true
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(type)?.[1]
  const isUtf8 = charset === undefined || /^utf-?8$/i.test(charset)
  return type.split(';', 1)[0]?.trim().toLowerCase() === FORM_TYPE && isUtf8 && coding.toLowerCase() === 'identity'
}
