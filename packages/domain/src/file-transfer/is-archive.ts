/** The bytes by which archives and compressed files are recognised, with their place. */
const signatures: readonly { readonly at: number; readonly bytes: readonly number[] }[] = [
  // ZIP, also without entries
  { at: 0, bytes: [0x50, 0x4b, 0x03, 0x04] },
  { at: 0, bytes: [0x50, 0x4b, 0x05, 0x06] },
  // gzip, bzip2, xz, Zstandard
  { at: 0, bytes: [0x1f, 0x8b] },
  { at: 0, bytes: [0x42, 0x5a, 0x68] },
  { at: 0, bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { at: 0, bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  // 7z, RAR
  { at: 0, bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { at: 0, bytes: [0x52, 0x61, 0x72, 0x21] },
  // tar
  { at: 257, bytes: [0x75, 0x73, 0x74, 0x61, 0x72] },
]

/**
 * Whether a file is an archive or compressed. Such files are refused: their content is not examined, and a small one
 * can contain a huge one.
 *
 * @param firstBytes the first 512 bytes, or all bytes of a shorter file
 */
export const isArchive = (firstBytes: Uint8Array): boolean =>
  signatures.some(({ at, bytes }) => bytes.every((byte, index) => firstBytes[at + index] === byte))
