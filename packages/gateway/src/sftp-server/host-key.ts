import { existsSync } from 'node:fs'
import { link, open, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { generateHostKey, publicHostKey } from '@tollgate/sftp'
import { type Config, ConfigError, settings } from '../config.ts'
import { readPem } from '../tls/certificate.ts'

const FILE_NAME = 'sftp-host-key'

/** The host key of the SFTP server: the private key, and its public part as a line of OpenSSH. */
export interface HostKey {
  readonly privateKey: string
  readonly publicKey: string
  readonly digest: Buffer
}

/**
 * Reads the host key. Without a setting it is a file in the folder of data, which is generated if it is missing.
 *
 * @throws ConfigError in one line without the key
 */
export async function readHostKey({ data, sftpHostKey }: Pick<Config, 'data' | 'sftpHostKey'>): Promise<HostKey> {
  const file = sftpHostKey ?? join(data, FILE_NAME)
  if (sftpHostKey === undefined && !existsSync(file)) await create(file)
  const name = settings.sftpHostKey.name
  const bytes = await readPem(name, file, { isSecret: true })
  try {
    const privateKey = bytes.toString('latin1')
    const { line, digest } = publicHostKey(privateKey)
    return { privateKey, publicKey: line, digest }
  } catch (error) {
    throw new ConfigError(`${name}: ${file}: ${error instanceof Error ? error.message : 'it cannot be read'}`)
  }
}

/** The file gets its name once it is complete and on disk. A file that another process has created stays. */
async function create(file: string): Promise<void> {
  const draft = `${file}.${process.pid}.new`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(generateHostKey())
    await handle.sync()
  } finally {
    await handle.close()
  }
  await link(draft, file).catch((error: unknown) => {
    if (!existsSync(file)) throw error
  })
  await unlink(draft)
  const folder = await open(dirname(file), 'r')
  await folder.sync()
  await folder.close()
}
