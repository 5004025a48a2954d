/**
 * The simulated parties of the test environment: banks and wallets to which shoppers are redirected, a directory server
 * and an ACS, which exchange data with the gateway over HTTP only; and the test host of an acquirer, which speaks
 * ISO 8583 on TCP, with an SFTP server for its settlement files and for the files that merchants receive.
 */
export type { AcquirerOptions, ListenerAddress } from './acquirer/acquirer.ts'
export { cutOffProblem, type HostCutOff, midnightInUtc } from './acquirer/business-day.ts'
export type { After } from './acquirer/connection.ts'
export { type ListenerTls, tlsListener } from './acquirer/tls-listener.ts'
export { describeAcquirer } from './acquirer/describe.ts'
export type { HostSpecName } from './acquirer/host-message.ts'
export { type HostFileFormatName, isHostFileFormatName } from './acquirer/settlement/settlement-file.ts'
export type { Simulator, SimulatorEnvironment } from './simulator.ts'
export type { SimulatedSftpOptions } from './sftp/sftp-server.ts'
export { simulatorServer } from './http/server.ts'
export { type RunningSimulators, startSimulators, type SimulatorsOptions } from './start-simulators.ts'
export { createThreeDSecureSimulator } from './three-d-secure/simulator.ts'
