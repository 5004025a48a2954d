import type { Log, LogFields } from './log.ts'

/** An event of the audit log. */
type AuditEvent =
  | 'bank entry assigned'
  | 'bank entry unassigned'
  | 'clearing batch compared'
  | 'payment page changed'
  | 'checkoutStatusWithoutLogin changed'
  | 'connector changed'
  | 'dispute changed'
  | 'evidence changed'
  | 'merchant terms changed'
  | 'open message closed'
  | 'payout account shown'
  | 'payout cancelled'
  | 'payout instructed'
  | 'routes changed'
  | 'settlement row matched'
  | 'settlement row unmatched'
  | 'statement accepted'
  | 'SFTP key added'
  | 'SFTP key revoked'
  | 'SFTP account changed'
  | 'report ready'

/** Writes a log line with the field `audit`, at level error, so that only the log level `silent` omits it. */
export const audit = (log: Log, event: AuditEvent, fields: LogFields): void => log.error({ audit: event, ...fields })
