import type { KeyRing } from '@tollgate/vault'

/** The file or command that contains the key ring of an installation. */
export interface KeySource {
  /** The path of the file or program, for messages. */
  readonly name: string
  /**
   * The ring; undefined if there is none yet.
   * @throws ConfigError of one line with the fault and nothing of the text
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
