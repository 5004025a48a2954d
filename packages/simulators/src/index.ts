/**
 * What stands on the other side in the test environment: banks and wallets that shoppers are sent to, a directory
 * server and an ACS, and a merchant's shop. None of it knows the gateway but by its addresses.
 */
export type { Simulator, SimulatorWorld } from './http/exchange.ts'
export { type PageLanguage, pageLanguages } from './http/page-language.ts'
export { type Running, startSimulators, type SimulatorsOptions } from './start-simulators.ts'
export { startShop, type ShopOptions } from './shop/start-shop.ts'
export { shopTexts } from './shop/texts.ts'
export { createThreeDSecureSimulator } from './three-d-secure/simulator.ts'
export { type Authenticated, simulatorCavvKey, verifyCavv } from './three-d-secure/cavv.ts'
