import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { ConfigError, settings, type TlsFiles } from '../config.ts'
import { limits } from '../limits.ts'
import { tlsPolicy } from './policy.ts'

/** A certificate with its chain and its key, PEM. The owner wipes the key. */
export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
  /** The certificate's last moment, epoch milliseconds. */
  readonly expiresAtMs: number
  /** Identifies this pair. */
  readonly digest: string
}

/**
 * Reads a certificate and its key, and checks that they are whole and match.
 *
 * @throws ConfigError in one line that names the setting and the file, and nothing of its content
 */
export async function readCertificate(files: TlsFiles): Promise<Certificate> {
  const cert = await contentOf(settings.tlsCert.name, files.cert)
  const key = await contentOf(settings.tlsKey.name, files.key, { isSecret: true })
  try {
    const expiresAtMs = checked(files, cert, key)
    return { cert, key, expiresAtMs, digest: createHash('sha256').update(cert).update(key).digest('hex') }
  } catch (error) {
    key.fill(0)
    throw error
  }
}

async function contentOf(name: string, file: string, { isSecret = false } = {}): Promise<Buffer> {
  try {
    // Checked before it is opened: a pipe would block, and a device may never end.
    if (!(await stat(file)).isFile()) throw new ConfigError(`${name}: ${file} is no regular file`)
    const handle = await open(file)
    try {
      const { mode, size } = await handle.stat()
      if (isSecret && (mode & OTHERS) !== 0) {
        throw new ConfigError(`${name}: ${file} is open to other users of the machine; chmod o= ${file}`)
      }
      if (size > limits.tlsFileBytesMax) {
        throw new ConfigError(`${name}: ${file} is longer than ${limits.tlsFileBytesMax} bytes, and no PEM file of one`)
      }
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    const isOfMachine = error instanceof Error && 'syscall' in error
    throw isOfMachine ? new ConfigError(`${name}: ${error.message}`) : error
  }
}

/** Permissions of a file for users other than its owner and group. */
const OTHERS = 0o007

/** @returns when the certificate expires */
function checked({ cert: certFile, key: keyFile }: TlsFiles, cert: Buffer, key: Buffer): number {
  const certificate = parsed(`${settings.tlsCert.name}: ${certFile} holds no certificate in PEM`, () => {
    return new X509Certificate(cert)
  })
  const privateKey = parsed(
    `${settings.tlsKey.name}: ${keyFile} holds no private key in PEM without a passphrase`,
    () => {
      return createPrivateKey({ key, format: 'pem' })
    },
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new ConfigError(`${settings.tlsKey.name}: ${keyFile} is not the key of the certificate in ${certFile}`)
  }
  parsed(`${settings.tlsCert.name}: ${certFile} cannot be served: its chain is broken, or its key too short`, () => {
    return createSecureContext({ ...tlsPolicy, cert, key })
  })
  return Date.parse(certificate.validTo)
}

/** OpenSSL's message about an invalid file may quote it. */
function parsed<T>(message: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new ConfigError(message)
  }
}
