/** Help for tests: OpenSSH's programs. */
export { clientArguments, createKeyPair, hasOpenSsh, type KeyPair, openSsh, runProgram } from './open-ssh.ts'
