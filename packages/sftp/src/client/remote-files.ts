import { extensions, fileModes, statusCodes, type StatusName } from '../protocol/constants.ts'
import { type Attributes, encode, PacketError, type PacketReader } from '../protocol/packets.ts'
import { decodeText, isEntryName } from '../virtual-path.ts'
import type { ExpectedAnswer, Requests } from './requests.ts'
import { SftpFailure } from './sftp-error.ts'

/** An entry of a folder of the server. */
export interface RemoteEntry {
  readonly name: string
  /** Links and special files are `other`. A server may send no kind; then it is `file`. */
  readonly kind: 'file' | 'folder' | 'other'
  readonly sizeBytes: number
  readonly modifiedAtMs: number
}

/** The name of an open file or folder of the server. */
export type RemoteHandle = Buffer

/** The files of a server: one function per request. Each throws an SftpFailure. */
export interface RemoteFiles {
  /** Whether the server can write the file to its disk, and whether it can rename in one step. */
  readonly canSync: boolean
  readonly open: (path: string, flags: number) => Promise<RemoteHandle>
  readonly close: (handle: RemoteHandle) => Promise<void>
  /** @returns undefined if there is no such file */
  readonly stat: (path: string) => Promise<Attributes | undefined>
  readonly statOpen: (handle: RemoteHandle) => Promise<Attributes>
  /** @returns undefined at the end of the file; fewer bytes than requested anywhere */
  readonly read: (handle: RemoteHandle, position: number, bytes: number) => Promise<Buffer | undefined>
  readonly write: (handle: RemoteHandle, position: number, data: Uint8Array) => Promise<void>
  readonly sync: (handle: RemoteHandle) => Promise<void>
  readonly remove: (path: string) => Promise<void>
  /** Renames a file in one step. */
  readonly rename: (from: string, to: string) => Promise<void>
  readonly openFolder: (path: string) => Promise<RemoteHandle>
  /** @returns the next entries; undefined after the last one */
  readonly readFolder: (handle: RemoteHandle) => Promise<readonly RemoteEntry[] | undefined>
  /** Free bytes on the disk of a path; undefined if the server does not tell. */
  readonly freeBytes: (path: string) => Promise<number | undefined>
}

/** The files of a server, by the requests of a session. */
export function remoteFiles({ send, extensions: offered }: Requests): RemoteFiles {
  const { bytes, uint32, uint64 } = encode
  const extend = <T>(name: string, parts: readonly Buffer[], expected: ExpectedAnswer<T>, action: string) =>
    send('EXTENDED', [bytes(name), ...parts], expected, action)

  return {
    canSync: offered.has(extensions.fsync),
    open: (path, flags) =>
      send('OPEN', [bytes(path), uint32(flags), encode.noAttributes()], answers.handle, 'open the file'),
    close: (handle) => send('CLOSE', [bytes(handle)], answers.ok, 'close the file'),
    stat: (path) => unless('NO_SUCH_FILE', send('STAT', [bytes(path)], answers.attributes, 'show the file')),
    statOpen: (handle) => send('FSTAT', [bytes(handle)], answers.attributes, 'show the file'),
    read(handle, position, length) {
      const parts = [bytes(handle), uint64(position), uint32(length)]
      return unless('EOF', send('READ', parts, dataAnswer(length), 'read the file'))
    },
    write: (handle, position, data) =>
      send('WRITE', [bytes(handle), uint64(position), bytes(data)], answers.ok, 'write the file'),
    sync: (handle) => extend(extensions.fsync, [bytes(handle)], answers.ok, 'store the file'),
    remove: (path) => send('REMOVE', [bytes(path)], answers.ok, 'remove the file'),
    rename(from, to) {
      const [parts, action] = [[bytes(from), bytes(to)], 'rename the file'] as const
      if (!offered.has(extensions.posixRename)) return send('RENAME', parts, answers.ok, action)
      return extend(extensions.posixRename, parts, answers.ok, action)
    },
    openFolder: (path) => send('OPENDIR', [bytes(path)], answers.handle, 'open the folder'),
    readFolder: (handle) => unless('EOF', send('READDIR', [bytes(handle)], answers.entries, 'list the folder')),
    async freeBytes(path) {
      if (!offered.has(extensions.statvfs)) return undefined
      return extend(extensions.statvfs, [bytes(path)], answers.freeBytes, 'show its free space')
    },
  }
}

/** Turns a status that is no failure into undefined. */
async function unless<T>(status: StatusName, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof SftpFailure && error.status === statusCodes[status]) return undefined
    throw error
  }
}

const answers = {
  ok: { type: 'STATUS', read: () => undefined },
  handle: { type: 'HANDLE', read: (values) => values.bytes() },
  attributes: { type: 'ATTRS', read: (values) => values.attributes() },
  entries: { type: 'NAME', read: readEntries },
  freeBytes: { type: 'EXTENDED_REPLY', read: readFreeBytes },
} as const satisfies Record<string, ExpectedAnswer<unknown>>

/** @param length the requested bytes */
const dataAnswer = (length: number): ExpectedAnswer<Buffer> => ({
  type: 'DATA',
  read(values) {
    const data = values.bytes()
    if (data.length === 0 || data.length > length) throw new PacketError(`it sends ${data.length} of ${length} bytes`)
    return data
  },
})

/** Entries whose names are no names, such as `..` and paths, are left out. */
function readEntries(values: PacketReader): readonly RemoteEntry[] {
  const count = values.uint32()
  if (count === 0) throw new PacketError('a list of entries is empty')
  const entries: RemoteEntry[] = []
  // The length of the packet bounds the count.
  for (let index = 0; index < count; index++) {
    const name = decodeText(values.bytes()) ?? ''
    values.bytes()
    const { permissions, sizeBytes = 0, modifiedAtMs = 0 } = values.attributes()
    if (isEntryName(name)) entries.push({ name, kind: kindOf(permissions), sizeBytes, modifiedAtMs })
  }
  return entries
}

function kindOf(permissions: number | undefined): RemoteEntry['kind'] {
  if (permissions === undefined) return 'file'
  const mode = permissions & fileModes.mask
  if (mode === fileModes.folder) return 'folder'
  return mode === fileModes.file ? 'file' : 'other'
}

/** Block size, fragment size, blocks, free blocks, and those that are free for users; in units of fragments. */
function readFreeBytes(values: PacketReader): number {
  values.uint64()
  const fragmentBytes = values.uint64()
  values.uint64()
  values.uint64()
  return fragmentBytes * values.uint64()
}
