/**
 * What stands on the other side in the test environment: banks and wallets that shoppers are sent to, a directory
 * server and an ACS, and a merchant's shop. None of it knows the gateway but by its addresses.
 */
export type { SimulatorReply, SimulatorRequest } from './three-d-secure/http.ts'
export { type Authenticated, simulatorCavvKey, verifyCavv } from './three-d-secure/cavv.ts'
export { createThreeDSecureSimulator, type ThreeDSecureSimulator } from './three-d-secure/simulator.ts'
export type { ThreeDSecureSimulatorOptions } from './three-d-secure/simulator.ts'
