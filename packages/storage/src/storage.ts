import type { Committer, Reader, Storage } from './port.ts'

/** Joins the two halves of a storage, which are closed together and once. */
export function storageOf(reader: Reader, committer: Committer): Storage {
  let closed: Promise<unknown> | undefined
  return {
    ...reader,
    ...committer,
    close: async () => void (await (closed ??= Promise.all([reader.close(), committer.close()]))),
  }
}
