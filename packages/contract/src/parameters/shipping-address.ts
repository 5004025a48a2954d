import { anyLetters, anyText, chars, country, date, exactAmount, oneOf, text } from '../format.ts'
import { NO_PAN, optional, REFERENCE, row, rows, section } from '../section.ts'
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

const address = <Prefix extends string>(prefix: Prefix) => [
  ...rows(prefix, ['street1', 'street2'], text(1, 100), 'C'),
  row(
    `${prefix}houseNumber1`,
    text(1, 100),
    'O',
    'When present, street1 holds only the street name and street2 is ignored.',
  ),
  row(`${prefix}houseNumber2`, text(1, 100), 'O', 'Requires houseNumber1.'),
  row(`${prefix}city`, anyLetters(1, 80), 'C', '', { legacy: text(1, 80), pan: 'mask' }),
  row(`${prefix}state`, chars('letters, digits or dots', 1, 50), 'C', '', { ...NO_PAN, legacy: text(1, 50) }),
  row(`${prefix}postcode`, chars('letters or digits', 1, 16), 'C', '', { ...NO_PAN, legacy: text(1, 16) }),
  row(`${prefix}country`, country, 'C'),
  row(`${prefix}method`, method, 'C'),
  row(`${prefix}cost`, exactAmount, 'C'),
  row(`${prefix}comment`, text(1, 160), 'C'),
  row(`${prefix}expectedDate`, date, 'O'),
  row(`${prefix}logisticsProvider`, text(1, 255), 'O'),
  ...rows(prefix, ['trackingNumber', 'returnTrackingNumber'], text(1, 255), 'O', REFERENCE),
  ...rows(prefix, ['normalized', 'validationStatus'], text(1, 255), 'O'),
  row(`${prefix}warehouse`, text(1, 100), 'O'),
  row(`${prefix}preference`, oneOf('GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'), 'O'),
  row(`${prefix}middleName`, anyText, 'O', '', NO_PAN),
  row(`${prefix}companyName`, text(1, 60), 'O', '', NO_PAN),
  row(`${prefix}phone`, addressPhone, 'O', '', { legacy: legacyPhone }),
  row(`${prefix}mobile`, addressPhone, 'O', '', { legacy: legacyPhone }),
  row(`${prefix}workPhone`, text(1, 25), 'O', '', REFERENCE),
  row(`${prefix}email`, text(6, 128), 'O', '', REFERENCE),
  row(`${prefix}type`, oneOf('RETURN', 'SHIPMENT'), 'O'),
]

export const shippingAddress = section('Shipping address', 'payment', [
  ...address('shipping.'),
  ...optional(address('merchant.shipping.')),
])
