/**
 * The simulated parties of the test environment: banks and wallets to which shoppers are redirected, a directory server
 * and an ACS. They exchange data with the gateway over HTTP only.
 */
export type { Simulator, SimulatorEnvironment } from './simulator.ts'
export { simulatorServer } from './http/server.ts'
export { type RunningSimulators, startSimulators, type SimulatorsOptions } from './start-simulators.ts'
export { createThreeDSecureSimulator } from './three-d-secure/simulator.ts'
