import { pattern } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

export const chargeback = section(
  'Chargeback',
  'payment',
  unechoed([
    row(
      'chargebackResultCode',
      pattern('000.100.2 followed by two digits', /^000\.100\.2[0-9]{2}$/),
      'O',
      'Reason code received from the acquirer.',
    ),
  ]),
)
