import { anyDate, anyText, chars, oneOf } from '../format.ts'
import { REFERENCE, row, section } from '../section.ts'

const industryPractice = oneOf('INCREMENTAL_AUTH', 'RESUBMISSION', 'REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW')

export const cardOnFile = section('Card on file', 'payment', [
  row('standingInstruction.type', oneOf('UNSCHEDULED', 'INSTALLMENT', 'RECURRING'), 'C'),
  row('standingInstruction.recurringType', oneOf('STANDING_ORDER', 'SUBSCRIPTION'), 'C'),
  row('standingInstruction.mode', oneOf('INITIAL', 'REPEATED'), 'C'),
  row('standingInstruction.source', oneOf('CIT', 'MIT'), 'C'),
  row(
    'standingInstruction.initialTransactionId',
    anyText,
    'C',
    'Id of the first customer-initiated transaction, from its answer.',
    REFERENCE,
  ),
  row('standingInstruction.industryPractice', industryPractice, 'C'),
  row(
    'standingInstruction.expiry',
    anyDate,
    'C',
    'Date after which no more authorizations are made; used for EMV 3D authentication.',
  ),
  row('standingInstruction.frequency', chars('digits', 0, 4), 'C', 'Minimum days between authorizations.'),
  row(
    'standingInstruction.numberOfInstallments',
    chars('digits', 0, 3),
    'C',
    'Maximum authorizations for installments; mandatory for 3D Secure on installment payments (type INSTALLMENT).',
  ),
])
