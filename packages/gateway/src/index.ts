/**
 * The service: listeners, the job runner and the wiring of all parts. Handlers parse requests, call operations and
 * render answers; the domain decides which changes of a payment are allowed, and the storage makes them durable.
 */
export { composeGateway, type RunningGateway, startGateway } from './compose.ts'
export { systemClock } from './runtime/clock/movable-clock.ts'
export type { Clock } from '@tollgate/operations'
export { missingInLive } from './missing-in-live.ts'
export { bracketed, type Config, ConfigError, listenError, readConfig, settings } from './config.ts'
export { backUp } from './data-set/back-up.ts'
export { type ArchivedPartition, archiveData } from './data-set/archive-data.ts'
export { examineData } from './data-set/integrity/examine-data.ts'
export { moveData } from './data-set/move-data.ts'
export { restore } from './data-set/restore.ts'
export type { Gateway } from './gateway.ts'
export { plainListenerOptions } from './http/listener.ts'
export { addKey, generateKeys } from './keys/generate-keys.ts'
export { metrics } from './metrics/metrics.ts'
export { type KeySetName, keySetNames } from '@tollgate/vault'
export { describePaymentPage } from './page-integrity/scripts.ts'
export { describeMethodOperations } from '@tollgate/operations'
export { readCertificate, readPem } from './tls/certificate.ts'
export { describeThrottling } from './throttle/describe-throttling.ts'
export { sandboxIds, sandboxToken } from '@tollgate/operations'
