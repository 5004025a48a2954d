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

/** The names of both files in errors. */
type FileNames = Readonly<Record<keyof TlsFiles, string>>

const listenerFiles: FileNames = { cert: settings.tlsCert.name, key: settings.tlsKey.name }

/**
 * Reads a certificate and its key, and checks that they are complete and match.
 *
 * @param names by default the settings of the listeners' certificate
 * @throws ConfigError in one line that names the setting and the file, and nothing of its content
 */
export async function readCertificate(files: TlsFiles, names: FileNames = listenerFiles): Promise<Certificate> {
  const cert = await readPem(names.cert, files.cert)
  const key = await readPem(names.key, files.key, { isSecret: true })
  try {
    const expiresAtMs = validate(files, names, cert, key)
    return { cert, key, expiresAtMs, digest: createHash('sha256').update(cert).update(key).digest('hex') }
  } catch (error) {
    key.fill(0)
    throw error
  }
}

/**
 * Reads a file in PEM, of a bounded length.
 *
 * @param name that of the setting, for errors
 * @throws ConfigError in one line without the content
 */
export async function readPem(name: string, file: string, { isSecret = false } = {}): Promise<Buffer> {
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
function validate({ cert: certFile, key: keyFile }: TlsFiles, names: FileNames, cert: Buffer, key: Buffer): number {
  const certificate = parseOrThrow(`${names.cert}: ${certFile} contains no certificate in PEM`, () => {
    return new X509Certificate(cert)
  })
  const privateKey = parseOrThrow(
    `${names.key}: ${keyFile} contains no private key in PEM without a passphrase`,
    () => {
      return createPrivateKey({ key, format: 'pem' })
    },
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new ConfigError(`${names.key}: ${keyFile} is not the key of the certificate in ${certFile}`)
  }
  parseOrThrow(`${names.cert}: ${certFile} cannot be served: its chain is broken, or its key too short`, () => {
    return createSecureContext({ ...tlsPolicy, cert, key })
  })
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
