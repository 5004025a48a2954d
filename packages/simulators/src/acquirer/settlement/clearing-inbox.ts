import { lstat, mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../limits.ts'
import type { ClearingReceipt } from './receive-clearing-file.ts'

/** Reads the clearing files of a folder. */
export interface ClearingInbox {
  /** Reads the files that have arrived. It never rejects. */
  advance(): Promise<void>
}

export const noInbox: ClearingInbox = { advance: async () => undefined }

/**
 * A file that was read is moved to the folder `read`, one with a fault to `refused`. Names that begin with a dot are
 * not touched, because such files are being written, nor is anything that is no regular file.
 *
 * @param receive reads the bytes of a file
 */
export function createClearingInbox(
  folder: string,
  receive: (bytes: Uint8Array) => Promise<ClearingReceipt | { readonly kind: 'fault' }>,
): ClearingInbox {
  let current: Promise<void> | undefined

  async function readAll(): Promise<void> {
    await mkdir(folder, { recursive: true })
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted()
    for (const name of names.slice(0, limits.acquirerFilesMax)) {
      const path = join(folder, name)
      const stats = await lstat(path)
      if (!stats.isFile()) continue
      const isTooLarge = stats.size > limits.acquirerClearingBytesMax
      const received = isTooLarge ? ({ kind: 'fault' } as const) : await receive(await readFile(path))
      const target = join(folder, 'kind' in received ? 'refused' : 'read')
      await mkdir(target, { recursive: true })
      await rename(path, join(target, name))
    }
  }

  return {
    advance() {
      current ??= readAll()
        .catch((error: unknown) => {
          process.stderr.write(`acquirer: a clearing file was not read; it is tried again: ${String(error)}\n`)
        })
        .finally(() => {
          current = undefined
        })
      return current
    },
  }
}
