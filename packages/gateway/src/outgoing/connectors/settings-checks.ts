import { X509Certificate } from 'node:crypto'
import { schemaFault } from '@tollgate/operations'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { limits } from '../../limits.ts'
import { ConnectorSettingsError } from './connector-kind.ts'

export const CLOSED = { additionalProperties: false }
export const Pem = Type.String({ minLength: 1, maxLength: limits.connectorPemCharsMax })
/** SHA-256 of a public key (SubjectPublicKeyInfo) in base64. */
export const PinnedKey = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })

/**
 * Returns a value that satisfies a schema.
 *
 * @throws ConnectorSettingsError with the path of the first member that does not
 */
export function checked<Shape extends TSchema>(shape: Shape, value: unknown, path: string): Static<Shape> {
  if (Value.Check(shape, value)) return value
  throw new ConnectorSettingsError(schemaFault(shape, value, path))
}

/** Replaces the message of a failed parser, which may quote its input. */
export function orRefused<T>(message: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new ConnectorSettingsError(message)
  }
}

/** @throws ConnectorSettingsError unless the authorities of `settings/tls`, if they are set, are a certificate */
export function checkAuthorities(ca: string | undefined): void {
  if (ca !== undefined) orRefused('settings/tls/ca must be a certificate in PEM', () => new X509Certificate(ca))
}
