import { limits } from '../limits.ts'
import { openFlags } from '../protocol/constants.ts'
import { type FileEntry, isFailure, type OpenFile, type TreeFailure } from '../tree/file-tree.ts'
import { resolvePath } from '../virtual-path.ts'
import type { FileSessionContext, RequestHandler, RequestHandlers } from './request-handler.ts'
import type { Handle } from './handles.ts'
import {
  attributesResponse,
  dataResponse,
  handleResponse,
  namesResponse,
  outcome,
  pathResponse,
  type Response,
  status,
} from './responses.ts'
import { isHidden, readPath } from './session-paths.ts'

const open: RequestHandler = async (request, context) => {
  const path = readPath(request, context)
  if (request.uint32() !== openFlags.READ) return status('PERMISSION_DENIED')
  request.attributes()
  if (path === undefined) return status('NO_SUCH_FILE')
  return openHandle(context, async () => {
    const file = await context.tree.open(path)
    return isFailure(file) ? file : { kind: 'reader', file }
  })
}

/** Opens a handle, unless the session has too many. */
export async function openHandle(
  { handles }: FileSessionContext,
  create: () => Promise<Handle | TreeFailure>,
): Promise<Response> {
  if (handles.isFull()) return status('FAILURE')
  const handle = await create()
  return isFailure(handle) ? outcome(handle) : handleResponse(handles.add(handle))
}

const close: RequestHandler = async (request, { handles }) =>
  status((await handles.close(request.bytes())) ? 'OK' : 'FAILURE')

const read: RequestHandler = async (request, { handles }) => {
  const file = readableOf(handles.find(request.bytes()))
  const position = request.uint64()
  const bytesMax = Math.min(request.uint32(), limits.blockBytes)
  if (file === undefined) return status('FAILURE')
  const data = await file.read(position, bytesMax)
  if (isFailure(data)) return outcome(data)
  return data.length === 0 && bytesMax > 0 ? status('EOF') : dataResponse(data)
}

function readableOf(handle: Handle | undefined): OpenFile | undefined {
  if (handle === undefined || handle.kind === 'folder') return undefined
  return handle.kind === 'reader' || handle.reads ? handle.file : undefined
}

/** STAT and LSTAT are the same in a tree without links. */
const stat: RequestHandler = async (request, context) => {
  const path = readPath(request, context)
  const info = path === undefined ? 'noSuchFile' : await context.tree.stat(path)
  return isFailure(info) ? outcome(info) : attributesResponse(info)
}

const fileStat: RequestHandler = async (request, { handles }) => {
  const handle = handles.find(request.bytes())
  if (handle === undefined || handle.kind === 'folder') return status('FAILURE')
  const info = await handle.file.info()
  return isFailure(info) ? outcome(info) : attributesResponse(info)
}

const openFolder: RequestHandler = async (request, context) => {
  const path = readPath(request, context)
  if (path === undefined) return status('NO_SUCH_FILE')
  return openHandle(context, async () => {
    const entries = await context.tree.list(path)
    return isFailure(entries) ? entries : { kind: 'folder', entries }
  })
}

const readFolder: RequestHandler = async (request, { handles, tree, limits: { entriesPerPacket } }) => {
  const handle = handles.find(request.bytes())
  if (handle?.kind !== 'folder') return status('FAILURE')
  const entries: FileEntry[] = []
  while (entries.length < entriesPerPacket) {
    const next = await handle.entries.next()
    if (next.done === true) break
    if (!isHidden(tree, next.value.name)) entries.push(next.value)
  }
  return entries.length === 0 ? status('EOF') : namesResponse(entries)
}

const realPath: RequestHandler = (request) => {
  const path = resolvePath(request.bytes())
  return path === undefined ? status('NO_SUCH_FILE') : pathResponse(path)
}

/** The requests that read. */
export const readRequests: RequestHandlers = {
  OPEN: open,
  CLOSE: close,
  READ: read,
  STAT: stat,
  LSTAT: stat,
  FSTAT: fileStat,
  OPENDIR: openFolder,
  READDIR: readFolder,
  REALPATH: realPath,
}
