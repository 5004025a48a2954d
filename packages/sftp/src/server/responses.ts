import { responseTypes, type StatusName, statusCodes } from '../protocol/constants.ts'
import { encode, encodePacket, type FileInfo } from '../protocol/packets.ts'
import type { FileEntry, TreeFailure } from '../tree/file-tree.ts'

/** The answer to a request, without its id. */
export interface Response {
  readonly type: number
  readonly parts: readonly Buffer[]
  /** Bytes of a file that the answer carries, or that the request has written. */
  readonly dataBytes?: number
}

/** The texts that clients show. */
const texts: Record<StatusName, string> = {
  OK: 'Success',
  EOF: 'End of file',
  NO_SUCH_FILE: 'No such file',
  PERMISSION_DENIED: 'Permission denied',
  FAILURE: 'Failure',
  BAD_MESSAGE: 'Bad message',
  NO_CONNECTION: 'No connection',
  CONNECTION_LOST: 'Connection lost',
  OP_UNSUPPORTED: 'Operation unsupported',
  FILE_ALREADY_EXISTS: 'File already exists',
  NO_SPACE_ON_FILESYSTEM: 'No space left',
  QUOTA_EXCEEDED: 'Quota exceeded',
}

/** Version 3 has no status for an existing file. */
const statusOfFailure: Record<TreeFailure, StatusName> = {
  noSuchFile: 'NO_SUCH_FILE',
  permissionDenied: 'PERMISSION_DENIED',
  exists: 'FAILURE',
  noSpace: 'NO_SPACE_ON_FILESYSTEM',
  failed: 'FAILURE',
}

export const status = (name: StatusName): Response => ({
  type: responseTypes.STATUS,
  parts: [encode.uint32(statusCodes[name]), encode.bytes(texts[name]), encode.bytes('')],
})

/** The answer to a request that returns nothing else. */
export const outcome = (failure: TreeFailure | undefined): Response =>
  status(failure === undefined ? 'OK' : statusOfFailure[failure])

export const handleResponse = (name: Uint8Array): Response => ({
  type: responseTypes.HANDLE,
  parts: [encode.bytes(name)],
})

export const dataResponse = (data: Uint8Array): Response => ({
  type: responseTypes.DATA,
  parts: [encode.bytes(data)],
  dataBytes: data.length,
})

export const attributesResponse = (info: FileInfo): Response => ({
  type: responseTypes.ATTRS,
  parts: [encode.attributes(info)],
})

/** The entries of a folder. */
export const namesResponse = (entries: readonly FileEntry[]): Response => ({
  type: responseTypes.NAME,
  parts: [
    encode.uint32(entries.length),
    ...entries.flatMap((entry) => [
      encode.bytes(entry.name),
      encode.bytes(longNameOf(entry)),
      encode.attributes(entry),
    ]),
  ],
})

/** A resolved path: the answer to REALPATH. */
export const pathResponse = (path: string): Response => ({
  type: responseTypes.NAME,
  parts: [encode.uint32(1), encode.bytes(path), encode.bytes(path), encode.noAttributes()],
})

/** A packet with an answer. @param id of the request */
export const encodeResponse = (id: number, { type, parts }: Response): Buffer =>
  encodePacket(type, encode.uint32(id), ...parts)

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** An entry as `ls -l` prints it, which clients show to people; the time in UTC. */
function longNameOf({ kind, name, sizeBytes, modifiedAtMs }: FileEntry): string {
  const at = new Date(modifiedAtMs)
  const day = `${months[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2)}`
  const mode = kind === 'folder' ? 'drwxr-xr-x' : '-rw-r--r--'
  return `${mode}    1 sftp     sftp     ${String(sizeBytes).padStart(12)} ${day} ${at.getUTCFullYear()} ${name}`
}
