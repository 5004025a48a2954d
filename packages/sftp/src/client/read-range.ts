import { limits } from '../limits.ts'
import type { RemoteFiles, RemoteHandle } from './remote-files.ts'

interface PendingRead {
  readonly bytes: number
  readonly answer: Promise<Buffer | undefined>
}

/**
 * Reads a part of a remote file, with several requests at the same time.
 *
 * @param requestsMax the requests that wait for answers
 * @returns the data in order, up to the end of the range or of the file
 */
export async function* readRange(
  files: RemoteFiles,
  handle: RemoteHandle,
  { from, to }: { readonly from: number; readonly to: number },
  requestsMax: number,
): AsyncGenerator<Buffer, void> {
  let pending: PendingRead[] = []
  let received = from
  let requested = from
  for (;;) {
    while (pending.length < requestsMax && requested < to) {
      const bytes = Math.min(limits.blockBytes, to - requested)
      const answer = files.read(handle, requested, bytes)
      // A failure is reported when its turn comes; the iteration may end before.
      answer.catch(() => undefined)
      pending.push({ bytes, answer })
      requested += bytes
    }
    const first = pending.shift()
    const data = await first?.answer
    if (first === undefined || data === undefined) return
    yield data
    received += data.length
    if (data.length < first.bytes) {
      // The answers after a short one leave a gap: they are requested again.
      await Promise.allSettled(pending.map(({ answer }) => answer))
      pending = []
      requested = received
    }
  }
}
