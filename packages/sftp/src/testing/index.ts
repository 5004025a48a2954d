/** Help for tests: OpenSSH's programs and server, a client that sends raw packets, and a proxy that breaks off. */
export { clientArguments, createKeyPair, hasOpenSsh, type KeyPair, openSsh, runProgram } from './open-ssh.ts'
export { newKeys } from './raw-client.ts'
export { type OpenSshServer, startOpenSshServer } from './open-ssh-server.ts'
export { type BreakingProxy, startProxy } from './proxy.ts'
