import type { KeyRing } from '@tollgate/vault'

/** The file with the key ring of an installation, or the command that prints the key ring. */
export interface KeySource {
  /** The path of the file or program, for messages. */
  readonly name: string
  /**
   * The ring; undefined if the file does not exist.
   * @throws ConfigError of one line with the fault and no text of the ring
   */
  read(): Promise<KeyRing | undefined>
  /** Present if the gateway generates its own keys, as in the test environment. */
  readonly store?: KeyStore | undefined
}

/** Writes a ring; it is on disk when a method returns. */
export interface KeyStore {
  /** Throws if a ring exists. */
  create(ring: KeyRing): void
  replace(ring: KeyRing): void
}
