import { limits } from '../limits.ts'
import { SftpFailure } from './sftp-error.ts'

/** Control characters. */
// oxlint-disable-next-line no-control-regex -- control characters are refused
const INVALID = /[\u0000-\u001f\u007f]/

/** Checks a path that is sent to a server. @throws SftpFailure */
export function checkPath(path: string): void {
  if (path === '' || INVALID.test(path) || Buffer.byteLength(path) > limits.pathBytesMax)
    throw new SftpFailure('invalid', 'The path is empty, too long, or contains control characters.')
}

/** The last name of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
