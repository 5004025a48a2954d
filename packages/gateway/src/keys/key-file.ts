import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { type KeyRing, writeKeyRing } from '@tollgate/vault'
import type { KeySource, KeyStore } from './key-source.ts'
import { parseRing } from './parse-ring.ts'

/**
 * A file with the key ring.
 *
 * @param isWritable whether the gateway generates and replaces the keys
 */
export function keyFile(file: string, isWritable: boolean): KeySource {
  return {
    name: file,
    async read() {
      return existsSync(file) ? parseRing(file, () => readFileSync(file, 'utf8')) : undefined
    },
    store: isWritable ? storeOf(file) : undefined,
  }
}

/**
 * The file gets its final name once it is complete and on disk, so that a crash leaves no partial key file. `create`
 * never replaces an existing file, which a second process may have created.
 */
function storeOf(file: string): KeyStore {
  return {
    create(ring) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const draft = writeDraft(file, ring)
      try {
        linkSync(draft, file)
      } finally {
        unlinkSync(draft)
      }
      syncFolder(file)
    },
    replace(ring) {
      // A symbolic link is kept; its target is replaced.
      const target = realpathSync(file)
      renameSync(writeDraft(target, ring), target)
      syncFolder(target)
    },
  }
}

/** Writes the ring to a temporary file beside the key file, and returns its path. */
function writeDraft(file: string, ring: KeyRing): string {
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, writeKeyRing(ring), { mode: 0o600, flush: true })
  return draft
}

function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
