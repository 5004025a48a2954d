import type { Context } from '../context.ts'
import type { SftpClient } from '../ports/sftp-client.ts'

/** The dependencies of deliveries to SFTP servers, and of the files that are pulled from them. */
export interface SftpContext extends Context {
  readonly sftp: SftpClient
}
