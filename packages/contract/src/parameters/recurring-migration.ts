import { oneOf, pattern, text, zonedTimestamp } from '../format.ts'
import { REFERENCE, row, section } from '../section.ts'

const amount = pattern('1 to 8 digits, optionally a dot and 2 digits', /^[0-9]{1,8}(\.[0-9]{2})?$/)
const deprecated = { deprecated: true } as const
const reference = { ...deprecated, ...REFERENCE } as const

/** Parameters of an RG request that migrates a registration from another platform. */
export const recurringMigration = section('Recurring migration', 'payment', [
  row('recurringMigration.paymentType', oneOf('DB', 'CD', 'PA'), 'R', '', deprecated),
  row('recurringMigration.amount', amount, 'O', '', deprecated),
  row('recurringMigration.requestTimestamp', zonedTimestamp, 'C', 'Time of the initial request.', deprecated),
  row('recurringMigration.connectorTxId1', text(1, 128), 'C', 'Acquirer response of the initial payment.', reference),
  row('recurringMigration.connectorTxId2', text(1, 128), 'C', 'Acquirer response of the initial payment.', reference),
  row('recurringMigration.connectorTxId3', text(1, 128), 'C', 'Acquirer response of the initial payment.', reference),
])
