/** Types of keys, of hosts and of users. The signatures of an RSA key use SHA-2 (RFC 8332); DSA is not accepted. */
export const keyTypes = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const
export type KeyType = (typeof keyTypes)[number]

/** The signature algorithms of a key type. `ssh-rsa`, which is RSA with SHA-1, is none of them. */
export const signatureAlgorithms = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
} as const satisfies Record<KeyType, readonly string[]>

const ellipticKex = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
] as const

/**
 * Key exchanges. A server offers those on elliptic curves only: the others cost it up to a hundred times the processor
 * time, at the wish of a client that has not authenticated.
 */
export const keyExchanges = {
  server: ellipticKex,
  client: [...ellipticKex, 'diffie-hellman-group16-sha512', 'diffie-hellman-group14-sha256'],
} as const

/** Ciphers and MACs of both sides. None uses CBC, MD5 or SHA-1; data is not compressed. */
export const transport = {
  cipher: ['aes256-gcm@openssh.com', 'aes128-gcm@openssh.com', 'aes256-ctr', 'aes192-ctr', 'aes128-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} as const
