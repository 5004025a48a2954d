import { url } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

export const asynchronousPayments = section(
  'Asynchronous payments',
  'payment',
  unechoed([
    row('shopperResultUrl', url(6, 2048), 'C', 'The shopper is sent to this URL after the payment.'),
    row('notificationUrl', url(6, 2048), 'O', 'Use webhooks.', { deprecated: true }),
  ]),
)
