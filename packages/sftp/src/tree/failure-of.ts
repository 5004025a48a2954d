import type { TreeFailure } from './file-tree.ts'

/** The failure of each error code of the file system; all others are `failed`. */
const failures: Readonly<Record<string, TreeFailure>> = {
  ENOENT: 'noSuchFile',
  ENOTDIR: 'noSuchFile',
  ENAMETOOLONG: 'noSuchFile',
  /** The last part of a path is a link. */
  ELOOP: 'noSuchFile',
  /** A socket, or a pipe that is opened for writing. */
  ENXIO: 'noSuchFile',
  EACCES: 'permissionDenied',
  EPERM: 'permissionDenied',
  EROFS: 'permissionDenied',
  EEXIST: 'exists',
  ENOTEMPTY: 'exists',
  ENOSPC: 'noSpace',
  EDQUOT: 'noSpace',
  EFBIG: 'noSpace',
}

/** The failure of an error of the file system. */
export function failureOf(error: unknown): TreeFailure {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return failures[code] ?? 'failed'
}
