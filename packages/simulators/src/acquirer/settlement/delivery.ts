import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { addDays } from '@tollgate/domain'
import { limits } from '../../limits.ts'
import type { Clock } from '../../simulator.ts'
import type { AcquirerHost } from '../host.ts'
import {
  fileIdOf,
  type FileSource,
  type HostFileFormatName,
  hostFileFormats,
  missingFileOf,
  settlementFileOf,
} from './settlement-file.ts'

/** Writes the settlement files of business days that have ended. */
export interface Delivery {
  /** Writes the files that are due. It never rejects. */
  advance(): Promise<void>
  /** Waits for a file that is being written. */
  close(): Promise<void>
}

export const noDelivery: Delivery = { advance: async () => undefined, close: async () => undefined }

/**
 * Writes each file once, also after a restart of a host with a journal. A reader of the folder never sees a part of a
 * file: it is written under a name that begins with a dot, and then renamed.
 */
export function createDelivery(
  folder: string,
  format: HostFileFormatName,
  { files, clock, host }: { readonly files: FileSource; readonly clock: Clock; readonly host: AcquirerHost },
): Delivery {
  let current: Promise<void> | undefined
  let retryAtMs = 0

  /** The first business day whose file was not written; undefined: the host has no books. */
  function nextDay(): string | undefined {
    const { deliveredDay, firstDay } = files.bookings
    return deliveredDay === undefined ? firstDay : addDays(deliveredDay, 1)
  }

  async function deliver(): Promise<void> {
    for (let count = 0; count < limits.acquirerFilesMax && !host.isFull(); count++) {
      const day = nextDay()
      if (day === undefined) return
      const missing = missingFileOf(files, { day, format }, clock.now())
      if (missing === 'notEnded') return
      if (missing === undefined) await write(day)
      await host.change([{ kind: 'deliver', businessDay: day }])
    }
  }

  async function write(day: string): Promise<void> {
    const name = `${fileIdOf(day)}.${hostFileFormats[format].extension}`
    const temporary = join(folder, `.${name}.tmp`)
    await mkdir(folder, { recursive: true })
    await writeDurably(temporary, settlementFileOf(files, { day, format }))
    await rename(temporary, join(folder, name))
    await syncFolder(folder)
  }

  return {
    advance() {
      if (clock.now() < retryAtMs) return Promise.resolve()
      current ??= deliver()
        .catch((error: unknown) => {
          retryAtMs = clock.now() + limits.acquirerFileRetryMs
          process.stderr.write(`acquirer: a settlement file was not written; it is tried again: ${String(error)}\n`)
        })
        .finally(() => {
          current = undefined
        })
      return current
    },
    close: async () => current,
  }
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
