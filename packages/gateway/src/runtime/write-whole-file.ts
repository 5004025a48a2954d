import { mkdir, open, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './sync-folder.ts'

/**
 * Writes a file durably beside its place and moves it there, so that no part of it is ever visible: until then its name
 * begins with a dot and ends with `.part`. A file in its place is replaced.
 */
export async function writeWholeFile(
  path: string,
  pieces: AsyncIterable<Uint8Array | string> | Iterable<string>,
): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${basename(path)}.0.part`)
  const handle = await open(draft, 'w', 0o600)
  try {
    for await (const piece of pieces) await handle.writeFile(piece)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, path)
  await syncFolder(folder)
}
