import type { FileEntry, OpenFile, WritableFile } from '../tree/file-tree.ts'

/** An open file or folder of a session. */
export type Handle =
  | { readonly kind: 'reader'; readonly file: OpenFile }
  | { readonly kind: 'writer'; readonly file: WritableFile; readonly reads: boolean; readonly appends: boolean }
  | { readonly kind: 'folder'; readonly entries: AsyncIterator<FileEntry, void> }

export interface Handles {
  readonly isFull: () => boolean
  /** @returns the bytes that name the handle for the client */
  readonly add: (handle: Handle) => Buffer
  readonly find: (name: Uint8Array) => Handle | undefined
  /** Closes a handle. @returns false if there is no such handle */
  readonly close: (name: Uint8Array) => Promise<boolean>
  readonly closeAll: () => Promise<void>
}

/** The open files and folders of a session, at most `handlesMax`. */
export function createHandles(handlesMax: number): Handles {
  const handles = new Map<string, Handle>()
  let last = 0
  const keyOf = (name: Uint8Array): string => Buffer.from(name).toString('hex')
  const take = (key: string): Handle | undefined => {
    const handle = handles.get(key)
    handles.delete(key)
    return handle
  }
  return {
    isFull: () => handles.size >= handlesMax,
    add(handle) {
      const name = Buffer.alloc(8)
      name.writeBigUInt64BE(BigInt(++last))
      handles.set(keyOf(name), handle)
      return name
    },
    find: (name) => handles.get(keyOf(name)),
    async close(name) {
      const handle = take(keyOf(name))
      if (handle) await closeHandle(handle)
      return handle !== undefined
    },
    async closeAll() {
      const open = [...handles.values()]
      handles.clear()
      await Promise.allSettled(open.map(closeHandle))
    },
  }
}

async function closeHandle(handle: Handle): Promise<void> {
  if (handle.kind === 'folder') await handle.entries.return?.()
  else await handle.file.close()
}
