/**
 * EMV 3-D Secure 2.1 and 2.2: the messages between the 3DS server, the directory server, the ACS and the browser or SDK
 * as tables, with their reader and writer, and the code lists. The functions use no I/O, no clock and no randomness.
 */
export { type AuthenticationIndicator, isAuthenticationIndicator } from './codes/authentication-indicators.ts'
export { authenticationIndicatorFor, isThreeRiIndicator } from './codes/authentication-indicators.ts'
export { type ThreeRiIndicator, threeRiIndicatorFor } from './codes/authentication-indicators.ts'
export {
  type ChallengeIndicator,
  challengeIndicatorFor,
  challengeIndicators,
  exemptionIndicators,
} from './codes/challenge-indicators.ts'
export { type ChallengeWindow, challengeWindows, isChallengeWindow } from './codes/challenge-windows.ts'
export { type ColorDepth, colorDepthFor } from './codes/color-depths.ts'
export { eciOf } from './codes/eci.ts'
export { type ErrorCode, errorCodes, errorDescriptions } from './codes/error-codes.ts'
export { isTransactionStatus, type TransactionStatus } from './codes/transaction-status.ts'
export { type AppDevice, readAppDevice } from './app-device.ts'
export type { Context } from './context.ts'
export { decodeMessage, encodeMessage } from './encoded-message.ts'
export { type CartesBancairesResponse, cartesBancairesRequest } from './extensions/cartes-bancaires.ts'
export {
  cartesBancairesResponse,
  readCartesBancairesResponse,
  readCartesBancairesItem,
} from './extensions/cartes-bancaires.ts'
export type { MessageExtension } from './extensions/message-extension.ts'
export { type AuthenticatedAmount, authenticatedAmount, readAuthenticatedAmount } from './extensions/simulator.ts'
export { readSimulatorOptions, type SimulatorOptions, simulatorOptions } from './extensions/simulator.ts'
export { erroOf, type Fault, fault } from './fault.ts'
export type { DeviceChannel, Fields, MessageCategory } from './field.ts'
export type { MessageType } from './messages/message-type.ts'
export type { MessageOf } from './messages/messages.ts'
export { decodeMethodData, encodeMethodData, type MethodData } from './method-data.ts'
export { type ParsedMessage, parseMessage } from './parse-message.ts'
export { type ReadResult, readMessage } from './read-message.ts'
export { isProtocolVersion, type ProtocolVersion, protocolVersions } from './versions.ts'
export { isWebUrl } from './web-url.ts'
export { writeMessage } from './write-message.ts'
