import type { KeyRing } from '@tollgate/vault'

/** Where the key ring of an installation comes from. */
export interface KeySource {
  /** Its name in messages: it identifies the place of the keys, and nothing of them. */
  readonly name: string
  /**
   * The ring; undefined if there is none yet.
   * @throws ConfigError in one line with the fault, and nothing of the text
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
