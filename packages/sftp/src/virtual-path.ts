import { limits } from './limits.ts'

/** Control characters, and the separator of other systems, which some of them would read as one. */
// oxlint-disable-next-line no-control-regex -- control characters are refused
const INVALID = /[\u0000-\u001f\u007f\\]/

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whether a text can be the name of a file or a folder. */
export const isEntryName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  !name.includes('/') &&
  !INVALID.test(name) &&
  Buffer.byteLength(name) <= limits.nameBytesMax

/**
 * Resolves a path as a client sends it, relative or absolute, against the root: `..` at the root stays there.
 *
 * @returns an absolute path without `.`, `..` and empty parts, such as `/` or `/reports/may.csv`; undefined if the path
 *   is too long, is not UTF-8, or contains a control character or a backslash
 */
export function resolvePath(sent: Uint8Array): string | undefined {
  if (sent.length > limits.pathBytesMax) return undefined
  const text = decodeText(sent)
  if (text === undefined || INVALID.test(text)) return undefined
  const names: string[] = []
  for (const part of text.split('/')) {
    if (part === '..') names.pop()
    else if (part !== '' && part !== '.') names.push(part)
  }
  return names.every(isEntryName) ? `/${names.join('/')}` : undefined
}

/** @returns undefined if the bytes are not UTF-8 */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The path below a root, of two resolved paths. */
export const pathBelow = (root: string, path: string): string => {
  if (root === '/') return path
  return path === '/' ? root : `${root}${path}`
}

/** The last name of a resolved path; empty for the root. */
export const lastNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
