import { limits } from '../limits.ts'
import type { SftpEntry } from '../ports/sftp-client.ts'

/** The files of a source that may still be written. */
export interface SeenFiles {
  /** Whether a file has not changed for `limits.pullStableMs`, as far as earlier polls show. */
  readonly isStable: (entry: SftpEntry, nowMs: number) => boolean
  /** Forgets all other files. */
  readonly keep: (entries: readonly SftpEntry[]) => void
}

/** Keeps the time at which each version of a file was first listed. */
export function createSeenFiles(): SeenFiles {
  const files = new Map<string, { readonly version: string; readonly sinceMs: number }>()
  return {
    isStable({ name, sizeBytes, modifiedAtMs }, nowMs) {
      const version = `${sizeBytes} ${modifiedAtMs}`
      const seen = files.get(name)
      if (seen?.version === version) return nowMs - seen.sinceMs >= limits.pullStableMs
      files.set(name, { version, sinceMs: nowMs })
      return false
    },
    keep(entries) {
      const names = new Set(entries.map(({ name }) => name))
      for (const name of files.keys()) if (!names.has(name)) files.delete(name)
    },
  }
}
