import { anyLetters, anyText, chars, country, date, exactAmount, oneOf, text } from '../format.ts'
import { alike, moved, NO_PAN, REFERENCE, row, section } from '../section.ts'
import { addressPhone, legacyPhone } from './phone.ts'

const method = oneOf(
  'CARRIER_DESIGNATED_BY_CUSTOMER',
  'ELECTRONIC_DELIVERY',
  'EXPEDITED',
  'GROUND',
  'INTERNATIONAL',
  'LOWEST_COST',
  'MILITARY',
  'NEXT_DAY_OVERNIGHT',
  'OTHER',
  'POINT_PICKUP',
  'PUDO',
  'SAME_DAY_SERVICE',
  'STORE_PICKUP',
  'THREE_DAY_SERVICE',
  'TWO_DAY_SERVICE',
)

const address = [
  ...alike('shipping.', ['street1', 'street2'], text(1, 100), 'C'),
  row(
    'shipping.houseNumber1',
    text(1, 100),
    'O',
    'When present, street1 holds only the street name and street2 is ignored.',
  ),
  row('shipping.houseNumber2', text(1, 100), 'O', 'Requires houseNumber1.'),
  row('shipping.city', anyLetters(1, 80), 'C', '', { legacy: text(1, 80), pan: 'mask' }),
  row('shipping.state', chars('letters, digits or dots', 1, 50), 'C', '', { ...NO_PAN, legacy: text(1, 50) }),
  row('shipping.postcode', chars('letters or digits', 1, 16), 'C', '', { ...NO_PAN, legacy: text(1, 16) }),
  row('shipping.country', country, 'C'),
  row('shipping.method', method, 'C'),
  row('shipping.cost', exactAmount, 'C'),
  row('shipping.comment', text(1, 160), 'C'),
  row('shipping.expectedDate', date, 'O'),
  row('shipping.logisticsProvider', text(1, 255), 'O'),
  ...alike('shipping.', ['trackingNumber', 'returnTrackingNumber'], text(1, 255), 'O', REFERENCE),
  ...alike('shipping.', ['normalized', 'validationStatus'], text(1, 255), 'O'),
  row('shipping.warehouse', text(1, 100), 'O'),
  row('shipping.preference', oneOf('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'), 'O'),
  row('shipping.middleName', anyText, 'O', '', NO_PAN),
  row('shipping.companyName', text(1, 60), 'O', '', NO_PAN),
  row('shipping.phone', addressPhone, 'O', '', { legacy: legacyPhone }),
  row('shipping.mobile', addressPhone, 'O', '', { legacy: legacyPhone }),
  row('shipping.workPhone', text(1, 25), 'O', '', REFERENCE),
  row('shipping.email', text(6, 128), 'O', '', REFERENCE),
  row('shipping.type', oneOf('RETURN', 'SHIPMENT'), 'O'),
]

export const shippingAddress = section('Shipping address', 'payment', [
  ...address,
  ...moved(address, 'shipping.', 'merchant.shipping.'),
])
