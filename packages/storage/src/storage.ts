import type { Committer, Reader, Storage } from './port.ts'

/** A storage of two halves, which are closed together, once. */
export function storageOf(reader: Reader, committer: Committer): Storage {
  let closed: Promise<unknown> | undefined
  return {
    ...reader,
    ...committer,
    close: async () => void (await (closed ??= Promise.all([reader.close(), committer.close()]))),
  }
}
