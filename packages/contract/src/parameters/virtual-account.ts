import { text } from '../format.ts'
import { row, section } from '../section.ts'

export const virtualAccount = section('Virtual account', 'payment', [
  row('virtualAccount.accountId', text(1, 100), 'R', '', { secret: 'account' }),
])
