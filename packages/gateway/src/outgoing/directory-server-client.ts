import { limits } from '../limits.ts'
import type { DirectoryServer } from '@tollgate/operations'

/** @param baseUrl without a slash at its end */
export const directoryServerAt = (baseUrl: string): DirectoryServer => ({
  async send(message) {
    try {
      const answer = await fetch(`${baseUrl}/ds`, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        // A view of the message, which the caller wipes. `fetch` copies it, and that copy is not wiped.
        body: Buffer.from(message.buffer, message.byteOffset, message.byteLength),
        signal: AbortSignal.timeout(limits.directoryServerMs),
        redirect: 'manual',
      })
      if (!answer.ok || Number(answer.headers.get('content-length')) > limits.directoryServerBytesMax) return undefined
      const bytes = new Uint8Array(await answer.arrayBuffer())
      return bytes.length > limits.directoryServerBytesMax ? undefined : bytes
    } catch {
      return undefined
    }
  },
})
