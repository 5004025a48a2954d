import { firstTables } from './0001-first-tables.ts'
import { eventsAndTime } from './0002-events-and-time.ts'
import { shoppers } from './0003-shoppers.ts'
import { timeInOrder } from './0004-time-in-order.ts'
import { linesAndDeclines } from './0005-lines-and-declines.ts'
import { records } from './0006-records.ts'
import { childTransactions } from './0007-child-transactions.ts'
import { archivedTransactions } from './0008-archived-transactions.ts'
import { acquirerAttempts } from './0009-acquirer-attempts.ts'
import { connectorsAndRoutes } from './0010-connectors-and-routes.ts'
import { cardDeclines } from './0011-card-declines.ts'
import { ledger } from './0012-ledger.ts'
import { settlement } from './0013-settlement.ts'
import { payouts } from './0014-payouts.ts'
import { sftp } from './0015-sftp.ts'
import { sftpKeys } from './0016-sftp-keys.ts'
import { disputes } from './0017-disputes.ts'
import { settlementReports } from './0018-settlement-reports.ts'
import { rowEntries } from './0019-row-entries.ts'
import { clearingFiles } from './0020-clearing-files.ts'
import { statements } from './0022-statements.ts'
import { settlementMatching } from './0023-settlement-matching.ts'
import type { Migration } from './migration.ts'

/** Every migration in order; the version of a schema is the number of its migrations. */
export const migrations: readonly Migration[] = [
  firstTables,
  eventsAndTime,
  shoppers,
  timeInOrder,
  linesAndDeclines,
  records,
  childTransactions,
  archivedTransactions,
  acquirerAttempts,
  connectorsAndRoutes,
  cardDeclines,
  ledger,
  settlement,
  payouts,
  sftp,
  sftpKeys,
  disputes,
  settlementReports,
  rowEntries,
  clearingFiles,
  statements,
  settlementMatching,
]
