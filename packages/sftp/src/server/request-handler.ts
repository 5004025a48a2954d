import type { ServerLimits } from '../limits.ts'
import type { RequestName } from '../protocol/constants.ts'
import type { PacketReader } from '../protocol/packets.ts'
import type { FileTree } from '../tree/file-tree.ts'
import type { Handles } from './handles.ts'
import type { Response } from './responses.ts'

/** What the requests of a session share. */
export interface FileSessionContext {
  readonly tree: FileTree
  /** The path in the tree that is `/` for the user. */
  readonly root: string
  readonly limits: ServerLimits
  readonly handles: Handles
}

/** Carries out a request: reads its values and returns its answer. */
export type RequestHandler = (request: PacketReader, context: FileSessionContext) => Response | Promise<Response>

/** The handlers of the requests; the requests without one are refused. */
export type RequestHandlers = Readonly<Partial<Record<RequestName, RequestHandler>>>
