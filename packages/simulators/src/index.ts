/**
 * The other parties of the test environment: banks and wallets that shoppers are redirected to, a directory server and
 * an ACS. They reach the gateway over HTTP only.
 */
export type { Simulator, SimulatorEnvironment } from './simulator.ts'
export { simulatorServer } from './http/server.ts'
export { type RunningSimulators, startSimulators, type SimulatorsOptions } from './start-simulators.ts'
export { createThreeDSecureSimulator } from './three-d-secure/simulator.ts'
export { type CavvContent, simulatorCavvKey, verifyCavv } from './three-d-secure/cavv.ts'
