/** A user of a server. */
export interface SftpUser {
  /** The public keys with which the user logs in, as lines of OpenSSH. */
  readonly publicKeys: readonly string[]
  /** The folder of the tree that the user sees as `/`: an absolute path. */
  readonly root: string
}

/** Finds a user by name. @returns undefined if there is none */
export type FindUser = (name: string) => SftpUser | undefined | Promise<SftpUser | undefined>
