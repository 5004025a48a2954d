/** A server and a user there. */
export interface SftpServer {
  readonly host: string
  readonly port: number
  readonly username: string
  /** The accepted host keys: fingerprints `SHA256:…`, or public keys as lines of OpenSSH. */
  readonly hostKeys: readonly string[]
}

/** How a user authenticates. */
export type SftpCredentials =
  | { readonly password: string }
  /** PEM, or in OpenSSH's format. */
  | { readonly privateKey: string; readonly passphrase?: string | undefined }

/** The reason for which an operation failed. */
export type SftpFailureKind =
  /** The address of the server is not permitted. Nothing was sent. */
  | 'address'
  /** A setting: a path, a key, a name. */
  | 'invalid'
  | 'connection'
  /** The server has another key than the pinned ones. No credentials were sent. */
  | 'hostKey'
  | 'authentication'
  | 'timeout'
  | 'closed'
  /** The caller has cancelled. */
  | 'cancelled'
  | 'noSuchFile'
  | 'permission'
  /** The target exists and has another content. */
  | 'exists'
  | 'noSpace'
  | 'tooLarge'
  | 'changed'
  | 'refused'
  | 'protocol'

/** A failure. The message is for operators, and contains neither credentials nor texts of the server. */
export interface SftpFault {
  readonly kind: SftpFailureKind
  readonly message: string
}

/** The result of an operation: a value or a fault. */
export type SftpOutcome<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly error: SftpFault; readonly value?: undefined }

/** A file of fixed content. */
export interface SftpSource {
  readonly sizeBytes: number
  /** The content from a place in the file to its end. */
  readonly read: (from: number) => AsyncIterable<Uint8Array>
}

/** An entry of a folder. Links and special files are `other`. */
export interface SftpEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
  readonly sizeBytes: number
  readonly modifiedAtMs: number
}

/** An open session. Paths are absolute, or relative to the folder of the user. */
export interface SftpSession {
  /**
   * Delivers a file under a temporary name, and renames it. All attempts with the same id resume what earlier ones have
   * sent.
   */
  readonly deliver: (path: string, source: SftpSource, deliveryId: string) => Promise<SftpOutcome<unknown>>
  /** Fetches a file of at most `bytesMax` bytes. @returns its bytes */
  readonly fetchFile: (
    path: string,
    sink: (chunk: Uint8Array) => void | Promise<void>,
    bytesMax: number,
  ) => Promise<SftpOutcome<number>>
  readonly list: (path: string) => Promise<SftpOutcome<readonly SftpEntry[]>>
  readonly remove: (path: string) => Promise<SftpOutcome<void>>
  readonly rename: (from: string, to: string) => Promise<SftpOutcome<void>>
  readonly close: () => Promise<void>
}

/** The only client for SFTP servers of merchants and acquirers. */
export interface SftpClient {
  /** @param signal cancels the session and all its operations */
  readonly connect: (
    server: SftpServer,
    credentials: SftpCredentials,
    signal: AbortSignal,
  ) => Promise<SftpOutcome<SftpSession>>
  /**
   * The fault of a server's settings, as far as it shows without a connection: the member and the reason, without its
   * value; undefined: there is none.
   */
  readonly serverFault: (server: SftpServer) => string | undefined
  /** The fault of credentials, without any part of them; undefined: there is none. */
  readonly credentialsFault: (credentials: SftpCredentials) => string | undefined
}
