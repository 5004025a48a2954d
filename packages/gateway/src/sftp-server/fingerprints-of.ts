import { fingerprintOf, parsePublicKey } from '@tollgate/sftp'

/** The fingerprints of public keys, lines of OpenSSH. */
export const fingerprintsOf = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(
    lines.flatMap((line) => {
      const key = parsePublicKey(line)
      return key === undefined ? [] : [fingerprintOf(key.digest)]
    }),
  )
