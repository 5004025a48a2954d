import { chars, country, text, webAddress } from '../format.ts'
import { mapKey } from './map-key.ts'
import { NO_PAN, REFERENCE, row, rows, section } from '../section.ts'

export const merchant = section('Merchant', 'payment', [
  row(
    'merchant.name',
    text(1, 100),
    'O',
    'Overrides the merchant name on the statement (first line); usually a business name, an asterisk and a product.',
  ),
  row('merchant.mcc', chars('letters or digits', 0, 4), 'O'),
  row('merchant.street', text(1, 100), 'O'),
  row(
    'merchant.city',
    text(1, 100),
    'O',
    'Second statement line: city, or phone, e-mail or URL for card-not-present.',
    REFERENCE,
  ),
  row('merchant.state', chars('letters or digits', 1, 50), 'O', '', NO_PAN),
  row('merchant.countryCode', chars('digits', 3, 3), 'O', 'ISO 3166-1 numeric.'),
  row('merchant.country', country, 'O'),
  row('merchant.postcode', chars('letters, digits or hyphens', 1, 16), 'O', '', NO_PAN),
  row('merchant.geographicCoordinates', text(1, 20), 'O', 'Latitude,longitude.', REFERENCE),
  row('merchant.serviceLocationCity', text(1, 100), 'O', 'Where the service was received, if different.'),
  row('merchant.serviceLocationState', chars('letters or digits', 1, 50), 'O', '', NO_PAN),
  row('merchant.serviceLocationCountryCode', chars('letters or digits', 0, 3), 'O'),
  row('merchant.serviceLocationPostCode', chars('letters, digits or hyphens', 1, 16), 'O', '', NO_PAN),
  row('merchant.serviceLocationGeographicCoordinates', text(1, 20), 'O', '', REFERENCE),
  row('merchant.additionalContact', text(1, 255), 'O', '', REFERENCE),
  ...rows(
    'merchant.',
    ['phone', 'customerContactPhone'],
    chars('letters, digits, pluses, hyphens or dots', 0, 25),
    'O',
  ),
  row('merchant.websiteId', text(0, 255), 'O', '', REFERENCE),
  row('merchant.url', webAddress(1, 255), 'O', '', REFERENCE),
  row('merchant.partnerIdCode', text(1, 60), 'O', '', REFERENCE),
  ...rows('merchant.', ['isoId', 'payFacId'], text(1, 255), 'O', REFERENCE),
  row('merchant.payFacName', text(1, 255), 'O', '', NO_PAN),
  row('merchant.marketplaceId', text(1, 255), 'O', '', REFERENCE),
  row('merchant.submerchantId', text(1, 100), 'O', "Only for one card network's payment facilitators.", REFERENCE),
  row('merchant.taxId', text(1, 60), 'O', '', REFERENCE),
  row('merchant.data[key]', text(0, 2048), 'O', '', { key: mapKey }),
  row('merchant.foreignRetailIndicator', text(1, 25), 'O'),
  row('merchant.legalName', text(1, 100), 'O', '', NO_PAN),
])
