import type { Log, LogFields } from './log.ts'

/** Lines for auditors, which are written at every log level. */
type AuditEvent = 'payment page changed' | 'checkoutStatusWithoutLogin changed'

/** A line of the audit log: one of the log, under the name `audit`, at the level that is left out last. */
export const audit = (log: Log, event: AuditEvent, fields: LogFields): void => log.error({ audit: event, ...fields })
