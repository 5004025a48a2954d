/** What tests of other packages need: a certificate, and all of a gateway but its listeners, in other surroundings. */
export { selfSigned } from './certificate.ts'
export { composeGateway, startWorks } from '../compose.ts'
export type { Gateway } from '../gateway.ts'
export type { Log } from '../log.ts'
export type { Outgoing, OutgoingReply, OutgoingRequest } from '../outgoing/outgoing.ts'
export { type Parameters, type TestAnswer, testGateway, type TestGateway } from './test-gateway.ts'
export { answerWithoutListener, type SentForm } from './without-listener.ts'
export type { World } from '../world.ts'
