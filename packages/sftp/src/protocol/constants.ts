/** The requests of SFTP version 3 (draft-ietf-secsh-filexfer-02), which all clients and servers use. */
export const requestTypes = {
  INIT: 1,
  OPEN: 3,
  CLOSE: 4,
  READ: 5,
  WRITE: 6,
  LSTAT: 7,
  FSTAT: 8,
  SETSTAT: 9,
  FSETSTAT: 10,
  OPENDIR: 11,
  READDIR: 12,
  REMOVE: 13,
  MKDIR: 14,
  RMDIR: 15,
  REALPATH: 16,
  STAT: 17,
  RENAME: 18,
  READLINK: 19,
  SYMLINK: 20,
  EXTENDED: 200,
} as const
export type RequestName = keyof typeof requestTypes

export const responseTypes = {
  VERSION: 2,
  STATUS: 101,
  HANDLE: 102,
  DATA: 103,
  NAME: 104,
  ATTRS: 105,
  EXTENDED_REPLY: 201,
} as const
export type ResponseName = keyof typeof responseTypes

/** The codes of STATUS. Servers send the last two, which are of later versions, in version 3 also. */
export const statusCodes = {
  OK: 0,
  EOF: 1,
  NO_SUCH_FILE: 2,
  PERMISSION_DENIED: 3,
  FAILURE: 4,
  BAD_MESSAGE: 5,
  NO_CONNECTION: 6,
  CONNECTION_LOST: 7,
  OP_UNSUPPORTED: 8,
  FILE_ALREADY_EXISTS: 11,
  NO_SPACE_ON_FILESYSTEM: 14,
  QUOTA_EXCEEDED: 15,
} as const
export type StatusName = keyof typeof statusCodes

/** The flags of OPEN. */
export const openFlags = { READ: 1, WRITE: 2, APPEND: 4, CREATE: 8, TRUNCATE: 16, EXCLUSIVE: 32 } as const

/** The flags of the parts that attributes have. */
export const attributeFlags = { SIZE: 1, OWNER: 2, PERMISSIONS: 4, TIMES: 8, EXTENDED: 0x80000000 } as const

/** The kind of a file in its permissions. */
export const fileModes = { mask: 0o170000, file: 0o100000, folder: 0o040000 } as const

export const protocolVersion = 3

/** Extensions of OpenSSH, with the versions that are used here. */
export const extensions = {
  posixRename: 'posix-rename@openssh.com',
  fsync: 'fsync@openssh.com',
  statvfs: 'statvfs@openssh.com',
} as const
