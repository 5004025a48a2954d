import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { DAY_MS } from '@tollgate/contract'

/** A self-signed certificate and its private key, in PEM. */
export interface TestCertificate {
  readonly key: string
  readonly cert: string
}

/** Encodes an element in DER: its tag, its length and its contents. */
function der(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const time = (at: Date) =>
  der(
    0x17,
    at
      .toISOString()
      .replace(/[-:T]|\.\d+/g, '')
      .slice(2),
  )

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
const subjectAltName = objectId('551d11')

/**
 * Creates a self-signed certificate.
 *
 * @param names the host names for which the certificate is valid (subjectAltName). The first is its subject: OpenSSL
 *   tells authorities apart by their subjects
 * @param days the start and the end of the validity, in days from now
 */
export function selfSignedCertificate(
  names: readonly string[],
  days: readonly [from: number, until: number] = [-1, 30],
): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, names[0] ?? ''))))
  const [from, until] = days.map((day) => time(new Date(Date.now() + day * DAY_MS)))
  const altNames = der(0x04, sequence(...names.map((altName) => der(0x82, altName))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(from ?? Buffer.alloc(0), until ?? Buffer.alloc(0)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, altNames))),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
