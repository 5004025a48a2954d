/**
 * An example of a connector: an acquirer with a small API of JSON over HTTPS, and a simulator of that acquirer. The
 * guide "Add a connector" follows it.
 */
export { createJsonAcquirer, type JsonAcquirerOptions } from './json-acquirer.ts'
export { type RunningSimulator, startSimulator } from './simulator/start-simulator.ts'
export { simulatedCards } from './simulator/ledger.ts'
