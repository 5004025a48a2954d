import type { LookupFunction } from 'node:net'
import type { SftpClient, SftpCredentials, SftpFault, SftpOutcome, SftpServer, SftpSession } from '@tollgate/operations'
import { connectSftp, credentialsFault, type Credentials, parsePinnedKey } from '@tollgate/sftp'
import { type DialLink, dialLink } from '../dial-link.ts'
import { NoAnswer, reasonOf } from '../failure-reasons.ts'
import { hostRefusal, type Rules } from '../target.ts'

interface Parts {
  /** The permitted addresses. */
  readonly rules: Rules
  /** The look-up of a host, which checks all of its addresses (`createCheckedLookup`). */
  readonly lookup: LookupFunction
  /** Opens connections, by default with TCP. */
  readonly dial?: DialLink | undefined
}

/**
 * Creates the client for SFTP servers of merchants and acquirers. A name is resolved once per connection, and the
 * connection is opened to the checked addresses only.
 */
export function createSftpClient({ rules, lookup, dial = dialLink }: Parts): SftpClient {
  async function connect(
    server: SftpServer,
    credentials: SftpCredentials,
    signal: AbortSignal,
  ): Promise<SftpOutcome<SftpSession>> {
    const refusal = hostRefusal(server.host, rules)
    if (refusal !== undefined) return { error: refusedAddress(refusal) }
    let refused: SftpFault | undefined
    const open = async (ended: AbortSignal) => {
      try {
        return await dial({ host: server.host, port: server.port, lookup }, ended)
      } catch (error) {
        if (error instanceof NoAnswer && error.kind === 'refused') refused = refusedAddress(error.message)
        throw new Error(reasonOf(error), { cause: error })
      }
    }
    const { value, error } = await connectSftp({ ...server, credentials: credentialsOf(credentials), open, signal })
    if (value) return { value: { ...value, fetchFile: value.fetch } }
    return { error: refused ?? error }
  }

  return {
    connect,
    serverFault({ host, hostKeys }) {
      const refusal = hostRefusal(host, rules)
      if (refusal !== undefined) return `host is not permitted: ${refusal}`
      const wrong = hostKeys.findIndex((key) => parsePinnedKey(key) === undefined)
      return wrong < 0 ? undefined : `hostKeys/${wrong} must be a fingerprint SHA256:… or a line with a public key`
    },
    credentialsFault: (credentials) => credentialsFault(credentialsOf(credentials)),
  }
}

const refusedAddress = (reason: string): SftpFault => ({ kind: 'address', message: `Not permitted: ${reason}.` })

const credentialsOf = (credentials: SftpCredentials): Credentials => {
  if ('password' in credentials) return { kind: 'password', password: credentials.password }
  const { privateKey, passphrase } = credentials
  return { kind: 'key', privateKey, ...(passphrase !== undefined && { passphrase }) }
}
