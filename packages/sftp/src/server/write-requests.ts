import { extensions, openFlags } from '../protocol/constants.ts'
import type { PacketReader } from '../protocol/packets.ts'
import { isFailure, type TreeFailure, type TreeWrites } from '../tree/file-tree.ts'
import { decodeText } from '../virtual-path.ts'
import type { FileSessionContext, RequestHandler, RequestHandlers } from './request-handler.ts'
import { openHandle } from './read-requests.ts'
import { outcome, type Response, status } from './responses.ts'
import { readPath } from './session-paths.ts'

/** The requests that change a tree; OPEN and EXTENDED replace those of reading sessions. */
export function writeRequests(writes: TreeWrites): RequestHandlers {
  const onPath =
    (change: (path: string) => Promise<TreeFailure | undefined>): RequestHandler =>
    async (request, context) => {
      const path = readPath(request, context)
      return path === undefined ? status('NO_SUCH_FILE') : outcome(await change(path))
    }

  const rename = async (request: PacketReader, context: FileSessionContext, replaces: boolean): Promise<Response> => {
    const [from, to] = [readPath(request, context), readPath(request, context)]
    if (from === undefined || to === undefined) return status('NO_SUCH_FILE')
    return outcome(await writes.rename(from, to, replaces))
  }

  return {
    OPEN: openIn(writes),
    WRITE: write,
    REMOVE: onPath(writes.remove),
    MKDIR: onPath(writes.createFolder),
    RMDIR: onPath(writes.removeFolder),
    RENAME: (request, context) => rename(request, context, false),
    EXTENDED(request, context) {
      const name = decodeText(request.bytes())
      if (name === extensions.posixRename) return rename(request, context, true)
      return name === extensions.fsync ? sync(request, context) : status('OP_UNSUPPORTED')
    },
  }
}

const openIn =
  (writes: TreeWrites): RequestHandler =>
  async (request, context) => {
    const path = readPath(request, context)
    const flags = request.uint32()
    const has = (flag: number): boolean => (flags & flag) !== 0
    request.attributes()
    if (path === undefined) return status('NO_SUCH_FILE')
    const mode = {
      reads: has(openFlags.READ),
      creates: has(openFlags.CREATE),
      truncates: has(openFlags.TRUNCATE),
      isExclusive: has(openFlags.CREATE) && has(openFlags.EXCLUSIVE),
    }
    return openHandle(context, async () => {
      if (!has(openFlags.WRITE)) {
        const file = await context.tree.open(path)
        return isFailure(file) ? file : { kind: 'reader', file }
      }
      const file = await writes.open(path, mode)
      return isFailure(file) ? file : { kind: 'writer', file, reads: mode.reads, appends: has(openFlags.APPEND) }
    })
  }

const write: RequestHandler = async (request, { handles }) => {
  const handle = handles.find(request.bytes())
  const position = request.uint64()
  const data = request.bytes()
  if (handle?.kind !== 'writer') return status('FAILURE')
  const info = handle.appends ? await handle.file.info() : undefined
  if (isFailure(info)) return outcome(info)
  const failure = await handle.file.write(info?.sizeBytes ?? position, data)
  return { ...outcome(failure), dataBytes: data.length }
}

const sync: RequestHandler = async (request, { handles }) => {
  const handle = handles.find(request.bytes())
  return handle?.kind === 'writer' ? outcome(await handle.file.sync()) : status('FAILURE')
}
