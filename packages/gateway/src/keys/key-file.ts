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
import { ringOf } from './ring-of.ts'

/**
 * A file with the key ring.
 *
 * @param isOwn whether the gateway may write it
 */
export function keyFile(file: string, isOwn: boolean): KeySource {
  return {
    name: file,
    async read() {
      return existsSync(file) ? ringOf(file, () => readFileSync(file, 'utf8')) : undefined
    },
    own: isOwn ? storeOf(file) : undefined,
  }
}

/**
 * The file gets its name when it is complete and on disk, so that a crash leaves no half key file. A new file never
 * replaces another one, which a second process may have created.
 */
function storeOf(file: string): KeyStore {
  return {
    create(ring) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const draft = draftOf(file, ring)
      try {
        linkSync(draft, file)
      } finally {
        unlinkSync(draft)
      }
      syncNames(file)
    },
    replace(ring) {
      // A symbolic link stays one.
      const place = realpathSync(file)
      renameSync(draftOf(place, ring), place)
      syncNames(place)
    },
  }
}

function draftOf(file: string, ring: KeyRing): string {
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, writeKeyRing(ring), { mode: 0o600, flush: true })
  return draft
}

function syncNames(file: string): void {
  const names = openSync(dirname(file), 'r')
  fsyncSync(names)
  closeSync(names)
}
