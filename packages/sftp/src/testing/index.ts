/** Help for tests: OpenSSH's programs, and a client that sends raw packets. */
export { clientArguments, createKeyPair, hasOpenSsh, type KeyPair, openSsh, runProgram } from './open-ssh.ts'
export { newKeys } from './raw-client.ts'
