/**
 * Files by SFTP: a client that delivers and fetches files, and a server that shows a tree of files to users with public
 * keys. Both check every message of the other side, bound what they keep in memory, and wait for nothing without a time
 * limit. Connections, time and files are supplied by the caller. The package uses no other package.
 */
export { clientLimits, type ClientLimits, type ServerLimits, serverLimits } from './limits.ts'
export type { FileInfo } from './protocol/packets.ts'
export { parsePublicKey } from './public-key.ts'
export type { EndReason } from './server/connection.ts'
export { type SftpServer, type SftpServerEvent, type SftpServerOptions } from './server/start-sftp-server.ts'
export { startSftpServer } from './server/start-sftp-server.ts'
export type { FindUser, SftpUser } from './server/users.ts'
export { isTemporaryName } from './temporary-name.ts'
export type { Timers } from './timers.ts'
export { directoryTree, type DirectoryTreeOptions } from './tree/directory-tree.ts'
export type { FileEntry, FileTree, OpenFile, TreeFailure, TreeWrites } from './tree/file-tree.ts'
export type { WritableFile, WriteMode } from './tree/file-tree.ts'
