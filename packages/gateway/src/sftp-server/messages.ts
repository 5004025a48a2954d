import { Type, type Static } from 'typebox'
import { limits } from '../limits.ts'
import { sftpServerLimits } from './limits.ts'

/** A user of the SFTP server: a merchant, whose name and folder are the id of the entity. */
export interface SftpUserKeys {
  readonly name: string
  /** Lines of OpenSSH. */
  readonly publicKeys: readonly string[]
}

/** What the process of the SFTP server serves. It has no other access to the data or the keys of the gateway. */
export interface SftpStart {
  readonly kind: 'start'
  /** The private host key, in OpenSSH's format. */
  readonly hostKey: string
  /** The folder with a folder for each user. */
  readonly folder: string
  readonly host: string
  readonly port: number
  /** Pause between two reports, and the logins that a report names. */
  readonly reportMs: number
  readonly loginsPerReport: number
  /** Its share of the processor. */
  readonly niceness: number
}

/** A message to the process. Users that are not named any more lose their sessions. */
export type ToSftpProcess = SftpStart | { readonly kind: 'users'; readonly users: readonly SftpUserKeys[] }

const count = Type.Integer({ minimum: 0 })
const Login = Type.Object({
  user: Type.String({ maxLength: 32 }),
  fingerprint: Type.String({ maxLength: 64 }),
})

/**
 * A message of the process, which is checked, because strangers talk to the process: it listens, cannot listen, or
 * reports the logins and refusals since its last report.
 */
export const FromSftpProcess = Type.Union([
  Type.Object({ kind: Type.Literal('listening'), port: Type.Integer({ minimum: 1, maximum: limits.portMax }) }),
  Type.Object({ kind: Type.Literal('failed'), code: Type.String({ maxLength: 40 }) }),
  Type.Object({
    kind: Type.Literal('report'),
    connections: count,
    refused: count,
    rejected: count,
    logins: Type.Array(Login, { maxItems: sftpServerLimits.sftpLoginsPerReport }),
  }),
])
export type FromSftpProcess = Static<typeof FromSftpProcess>
export type SftpReport = Extract<FromSftpProcess, { kind: 'report' }>
export type SftpLogin = SftpReport['logins'][number]
