/**
 * Files by SFTP: a client that delivers and fetches files, and a server that shows a tree of files to users with public
 * keys. Both check every message of the other side, bound what they keep in memory, and wait for nothing without a time
 * limit. Connections, time and files are supplied by the caller. The package uses no other package.
 */
export { connectSftp, type SftpClient } from './client/connect-sftp.ts'
export { type Credentials, credentialsFault } from './client/credentials.ts'
export type { Delivery, DeliverySource } from './client/deliver.ts'
export type { FileSink } from './client/fetch-file.ts'
export type { RemoteEntry } from './client/remote-files.ts'
export type { SftpError, SftpErrorKind, SftpResult } from './client/sftp-error.ts'
export type { SftpOptions } from './client/sftp-options.ts'
export { publicHostKey } from './host-key.ts'
export { generateHostKey } from './generate-host-key.ts'
export { clientLimits, type ClientLimits, type ServerLimits, serverLimits } from './limits.ts'
export type { FileInfo } from './protocol/packets.ts'
export { fingerprintOf, parsePinnedKey, parsePublicKey, type PinnedKey, type PublicKey } from './public-key.ts'
export type { EndReason, Login } from './server/connection.ts'
export { type SftpServer, type SftpServerEvent, type SftpServerOptions } from './server/start-sftp-server.ts'
export { startSftpServer } from './server/start-sftp-server.ts'
export type { FindUser, SftpUser } from './server/users.ts'
export { isTemporaryName } from './temporary-name.ts'
export type { Timers } from './timers.ts'
export { directoryTree, type DirectoryTreeOptions } from './tree/directory-tree.ts'
export type { FileEntry, FileTree, OpenFile, TreeFailure, TreeWrites } from './tree/file-tree.ts'
export type { WritableFile, WriteMode } from './tree/file-tree.ts'
