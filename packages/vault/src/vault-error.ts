/** The causes of errors of the vault. */
export type VaultFault =
  /** The key ring's text or content cannot be used. */
  | 'key ring'
  /** The caller passed an invalid number, id or merchant, or the id of a current key to `forgetKey`. */
  | 'argument'
  /** The record has the id of a key that is not in this ring. */
  | 'unknown key'
  /** The record was altered, belongs to another row or merchant, or was sealed under another key. */
  | 'not authentic'
  /** The vault is closed. */
  | 'unavailable'

/** Thrown by the vault. The message names the cause and never contains key material or account data. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly fault: VaultFault

  constructor(fault: VaultFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** The error of a closed vault. */
export function closedError(): VaultError {
  return new VaultError('unavailable', 'the vault is closed')
}
