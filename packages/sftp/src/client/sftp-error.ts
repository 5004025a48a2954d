import { type StatusName, statusCodes } from '../protocol/constants.ts'

/** Why an operation has failed. */
export type SftpErrorKind =
  /** A setting of the caller: a path, a key, a name. */
  | 'invalid'
  /** There is no connection to the server. */
  | 'connection'
  /** The server has another key than the pinned ones. No credentials were sent. */
  | 'hostKey'
  | 'authentication'
  | 'timeout'
  /** The connection was lost. */
  | 'closed'
  /** The caller has cancelled. */
  | 'cancelled'
  | 'noSuchFile'
  | 'permission'
  /** The target exists and has another content. */
  | 'exists'
  | 'noSpace'
  | 'tooLarge'
  /** The source does not have the stated size. */
  | 'changed'
  /** The server refuses for a reason that it does not state. */
  | 'refused'
  /** The server violates the protocol. */
  | 'protocol'

/** A failure. The message is for people, and contains neither credentials nor texts of the server. */
export interface SftpError {
  readonly kind: SftpErrorKind
  readonly message: string
}

/** The result of an operation: a value or an error. */
export type SftpResult<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly error: SftpError; readonly value?: undefined }

/** A failure on its way to the caller of the package. */
export class SftpFailure extends Error {
  readonly kind: SftpErrorKind
  /** The code of the status, if one of the server is the cause. */
  readonly status: number | undefined
  constructor(kind: SftpErrorKind, message: string, status?: number) {
    super(message)
    this.kind = kind
    this.status = status
  }
}

/** The result of an action. Errors of the caller's sources and sinks are thrown on. */
export async function resultOf<T>(action: () => Promise<T>): Promise<SftpResult<T>> {
  try {
    return { value: await action() }
  } catch (error) {
    if (!(error instanceof SftpFailure)) throw error
    return { error: { kind: error.kind, message: error.message } }
  }
}

/** The statuses with a kind of their own. */
const kindOfStatus: Readonly<Record<string, SftpErrorKind | undefined>> = {
  NO_SUCH_FILE: 'noSuchFile',
  PERMISSION_DENIED: 'permission',
  FILE_ALREADY_EXISTS: 'exists',
  NO_SPACE_ON_FILESYSTEM: 'noSpace',
  QUOTA_EXCEEDED: 'noSpace',
  NO_CONNECTION: 'closed',
  CONNECTION_LOST: 'closed',
} satisfies Partial<Record<StatusName, SftpErrorKind>>

const statusNames: ReadonlyMap<number, string> = new Map(
  Object.entries(statusCodes).map(([name, code]) => [code, name]),
)

/** The failure of a status. @param action the refused action, such as `open the file` */
export function failureOfStatus(code: number, action: string): SftpFailure {
  const name = statusNames.get(code) ?? `status ${code}`
  return new SftpFailure(kindOfStatus[name] ?? 'refused', `The server did not ${action}: ${name}.`, code)
}
