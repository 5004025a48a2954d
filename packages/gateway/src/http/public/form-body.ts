import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { limits } from '../../limits.ts'
import type { TenantQueue } from '../../throttle/fair-queue.ts'
import { faults } from '../faults.ts'

/** The faults for which a body is rejected. */
export type BodyFault = typeof faults.bodyTooLarge | typeof faults.tooManyInProgress | typeof faults.incompleteBody

/**
 * Creates a function that reads request bodies. If a body has several chunks, they are copied into one buffer and
 * wiped, so that a card number is in this buffer only, which the decoder wipes.
 *
 * @param budgetBytes bound on all bodies in progress together. A request that would exceed the bound is rejected
 * @returns a function that counts the bytes of a body in the merchant's queue until the body is complete, and calls
 *   `done` with the body or with the fault for which it is rejected
 */
export function createBodyReader(budgetBytes: number) {
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
        finish(bytes + length > limits.bodyBytesMax ? faults.bodyTooLarge : faults.tooManyInProgress)
      }
    })
    stream.on('end', () => finish(joinChunks(chunks)))
    stream.on('aborted', () => finish(faults.incompleteBody))
    stream.on('error', () => finish(faults.incompleteBody))
  }
}

function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const whole = Buffer.concat(chunks)
  for (const chunk of chunks) chunk.fill(0)
  return whole
}

export const FORM_TYPE = 'application/x-www-form-urlencoded'

const usualTypes: ReadonlySet<string> = new Set([FORM_TYPE, `${FORM_TYPE}; charset=UTF-8`])

/**
 * Whether a body is a form: "Content-Type application/x-www-form-urlencoded; charset=UTF-8" (contract, Endpoints), or
 * the same type without a charset. A body with a Content-Encoding other than identity is no form.
 */
export function isForm(headers: IncomingHttpHeaders): boolean {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers
  // The spellings of most clients need no parsing.
  if (usualTypes.has(type) && coding === 'identity') return true
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(type)?.[1]
  const isUtf8 = charset === undefined || /^utf-?8$/i.test(charset)
  return type.split(';', 1)[0]?.trim().toLowerCase() === FORM_TYPE && isUtf8 && coding.toLowerCase() === 'identity'
}
