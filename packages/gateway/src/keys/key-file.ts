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
 * A file that holds the key ring.
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
 * The name is given to a file that is complete and on disk, so that no crash leaves half a key file behind. A new one
 * does not take it from another file, which a process beside this one may have made meanwhile.
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
      // A symbolic link goes on leading there.
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
