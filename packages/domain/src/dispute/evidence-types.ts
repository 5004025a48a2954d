/** The types of files that are accepted as evidence: those that every acquirer accepts and every viewer shows. */
export const evidenceTypes = ['application/pdf', 'image/png', 'image/jpeg', 'text/plain'] as const
export type EvidenceType = (typeof evidenceTypes)[number]

/** Whether a text is a type of evidence. */
export const isEvidenceType = (text: string): text is EvidenceType => evidenceTypes.some((type) => type === text)

/** The first bytes of files, in hexadecimal digits, and their type. */
const signatures: readonly (readonly [start: string, type: EvidenceType])[] = [
  ['255044462d', 'application/pdf'],
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
]

/** The first bytes of archives and compressed files, whose content cannot be seen. */
const archives: readonly string[] = [
  '504b0304', // ZIP, and documents of office programs
  '504b0506', // empty ZIP
  '1f8b', // gzip
  '526172211a07', // RAR
  '377abcaf271c', // 7z
  '425a68', // bzip2
  'fd377a585a00', // xz
  '28b52ffd', // Zstandard
]

const startsWith = (content: Uint8Array, start: string): boolean =>
  Buffer.from(content.subarray(0, start.length / 2)).toString('hex') === start

/** Characters that a text does not contain: controls other than tab, line feed, form feed and carriage return. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/

/** The type of a file by its content; `archive`, or undefined for any other file. */
export function evidenceTypeOf(content: Uint8Array): EvidenceType | 'archive' | undefined {
  const known = signatures.find(([start]) => startsWith(content, start))
  if (known) return known[1]
  if (archives.some((start) => startsWith(content, start))) return 'archive'
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
