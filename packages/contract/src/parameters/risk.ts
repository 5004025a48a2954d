import { exactAmount, text, timestamp, webAddress } from '../format.ts'
import { freeMapKey } from './map-key.ts'
import { REFERENCE, row, section } from '../section.ts'

export const risk = section('Risk', 'payment', [
  row(
    'risk.channelId',
    text(1, 255),
    'O',
    'Dynamic override of the configured risk channel; 12 characters for one fraud-screening product.',
    REFERENCE,
  ),
  row(
    'risk.serviceId',
    text(1, 255),
    'O',
    'Dynamic override of the risk service; 1 character for that product.',
    REFERENCE,
  ),
  row('risk.amount', exactAmount, 'O', 'When present it is the amount used for 3D Secure.'),
  row('risk.orderTimestamp', timestamp, 'O', 'Defaults to the time of the request.'),
  row('risk.brand', text(1, 255), 'O', 'Defaults to paymentBrand.'),
  row('risk.parameters[name]', text(0, 2048), 'O', '', { key: freeMapKey }),
  row('risk.merchantWebsite', webAddress(1, 60), 'O', '', REFERENCE),
  row('risk.accountToken', text(1, 64), 'O', '', REFERENCE),
])
