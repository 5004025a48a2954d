import { isArchive } from '../file-transfer/is-archive.ts'

/** The types of files that are accepted as evidence: those that every acquirer accepts and every viewer shows. */
export const evidenceTypes = ['application/pdf', 'image/png', 'image/jpeg', 'text/plain'] as const
export type EvidenceType = (typeof evidenceTypes)[number]

/** Whether a text is a type of evidence. */
export const isEvidenceType = (text: string): text is EvidenceType => evidenceTypes.some((type) => type === text)

/** The first bytes of files, and their type. */
const signatures: readonly (readonly [start: readonly number[], type: EvidenceType])[] = [
  [[0x25, 0x50, 0x44, 0x46, 0x2d], 'application/pdf'],
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'image/png'],
  [[0xff, 0xd8, 0xff], 'image/jpeg'],
]

const startsWith = (content: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => content[index] === byte)

/** Characters that a text does not contain: controls other than tab, line feed, form feed and carriage return. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/

/** The type of a file by its content; `archive`, or undefined for any other file. */
export function evidenceTypeOf(content: Uint8Array): EvidenceType | 'archive' | undefined {
  const known = signatures.find(([start]) => startsWith(content, start))
  if (known) return known[1]
  if (isArchive(content)) return 'archive'
  return isText(content) ? 'text/plain' : undefined
}

function isText(content: Uint8Array): boolean {
  if (content.length === 0) return false
  try {
    return !CONTROL.test(new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch {
    return false
  }
}
