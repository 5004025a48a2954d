/** The suite of behaviours of all connectors, for tests of other packages. The product does not use this module. */
export type { Books, ConformanceAdapter, Running } from './adapter.ts'
export { describeConformance } from './conformance.ts'
export { type FaultName, lateMs } from './faults.ts'
export { type HttpFaults, type JsonAnswer, startHttpFaults } from './http-faults.ts'
export { type ForcedParameter, forcedParameters } from '../simulator/forced-parameters.ts'
export { countReachable } from './reachable.ts'
export { sampleCard } from './sample-requests.ts'
