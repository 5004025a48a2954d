import type { KeyRing } from '@tollgate/vault'

/** Where the key ring of an installation comes from. */
export interface KeySource {
  /** How messages name it: they show the way to the keys and nothing of them. */
  readonly name: string
  /**
   * The ring, or undefined where there is none yet.
   * @throws ConfigError in one line that says what is wrong and nothing of what was read
   */
  read(): Promise<KeyRing | undefined>
  /** Where the gateway makes its own keys, as it does in the test environment. */
  readonly own?: KeyStore | undefined
}

/** Keeps a ring, durably once it returns. */
export interface KeyStore {
  /** Throws where there is one already. */
  create(ring: KeyRing): void
  replace(ring: KeyRing): void
}
