import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { ConfigError, settings, type TlsFiles } from '../config.ts'
import { limits } from '../limits.ts'
import { tlsPolicy } from './policy.ts'

/** A certificate with its chain and its key, PEM. The caller wipes the key. */
export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
  /** Expiry of the certificate, epoch milliseconds. */
  readonly expiresAtMs: number
  /** Identifies the pair of certificate and key. */
  readonly digest: string
}

/**
 * Reads a certificate and its key, and checks that they are complete and match.
 *
 * @throws ConfigError in one line that names the setting and the file, and nothing of its content
 */
export async function readCertificate(files: TlsFiles): Promise<Certificate> {
  const cert = await contentOf(settings.tlsCert.name, files.cert)
  const key = await contentOf(settings.tlsKey.name, files.key, { isSecret: true })
  try {
    const expiresAtMs = validate(files, cert, key)
    return { cert, key, expiresAtMs, digest: createHash('sha256').update(cert).update(key).digest('hex') }
  } catch (error) {
    key.fill(0)
    throw error
  }
}

async function contentOf(name: string, file: string, { isSecret = false } = {}): Promise<Buffer> {
  try {
    // The type is checked before the file is opened, because a pipe would block and a device may never end.
    if (!(await stat(file)).isFile()) throw new ConfigError(`${name}: ${file} is not a regular file`)
    const handle = await open(file)
    try {
      const { mode, size } = await handle.stat()
      if (isSecret && (mode & OTHERS) !== 0) {
        throw new ConfigError(`${name}: ${file} is open to other users of the machine; chmod o= ${file}`)
      }
      if (size > limits.tlsFileBytesMax) {
        throw new ConfigError(
          `${name}: ${file} is longer than ${limits.tlsFileBytesMax} bytes, too long for a PEM file`,
        )
      }
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    const isSystemError = error instanceof Error && 'syscall' in error
    throw isSystemError ? new ConfigError(`${name}: ${error.message}`) : error
  }
}

/** Permissions of a file for users other than its owner and group. */
const OTHERS = 0o007

/** @returns the expiry of the certificate, epoch milliseconds */
function validate({ cert: certFile, key: keyFile }: TlsFiles, cert: Buffer, key: Buffer): number {
  const certificate = parseOrThrow(`${settings.tlsCert.name}: ${certFile} contains no certificate in PEM`, () => {
    return new X509Certificate(cert)
  })
  const privateKey = parseOrThrow(
    `${settings.tlsKey.name}: ${keyFile} contains no private key in PEM without a passphrase`,
    () => {
      return createPrivateKey({ key, format: 'pem' })
    },
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new ConfigError(`${settings.tlsKey.name}: ${keyFile} is not the key of the certificate in ${certFile}`)
  }
  parseOrThrow(
    `${settings.tlsCert.name}: ${certFile} cannot be served: its chain is broken, or its key too short`,
    () => {
      return createSecureContext({ ...tlsPolicy, cert, key })
    },
  )
  return Date.parse(certificate.validTo)
}

/** Replaces OpenSSL's message about an invalid file, which may quote the file. */
function parseOrThrow<T>(message: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new ConfigError(message)
  }
}
