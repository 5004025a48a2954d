import { chars, currency, date, exactAmount, oneOf, pattern, text, url } from '../format.ts'
import { NO_PAN, REFERENCE, row, rows, section } from '../section.ts'

const quantity = pattern('up to 12 digits, optionally a dot and up to 3 digits', /^[0-9]{1,12}(\.[0-9]{1,3})?$/)
const percentage = pattern('0 to 100, up to 2 decimals', /^(100(\.0{1,2})?|[0-9]{1,2}(\.[0-9]{1,2})?)$/)
const type = oneOf('PHYSICAL', 'DIGITAL', 'MIXED', 'ANONYMOUS_DONATION', 'AUTHORITIES_PAYMENT')

export const cartItems = section('Cart items', 'payment', [
  row('cart.items[n].name', text(1, 255), 'C'),
  row('cart.items[n].merchantItemId', text(1, 255), 'C', '', REFERENCE),
  row('cart.items[n].quantity', quantity, 'C'),
  row('cart.items[n].type', type, 'C'),
  row('cart.items[n].sku', text(1, 255), 'O', '', REFERENCE),
  row('cart.items[n].currency', currency, 'C'),
  row('cart.items[n].description', text(1, 2048), 'C'),
  row('cart.items[n].commodityCode', chars('digits', 8, 8), 'O', 'UNSPSC.'),
  row('cart.items[n].commodityDescription', text(0, 50), 'O', 'UNSPSC.'),
  row('cart.items[n].originalPrice', text(1, 255), 'O', 'Price excluding tax and discount, per unit.', REFERENCE),
  row('cart.items[n].price', exactAmount, 'C', 'Including tax and discount, per unit.'),
  row('cart.items[n].totalAmount', exactAmount, 'C', 'Including quantity.'),
  row('cart.items[n].taxAmount', exactAmount, 'C', 'Per unit.'),
  row('cart.items[n].totalTaxAmount', exactAmount, 'C'),
  row('cart.items[n].tax', percentage, 'C', 'Percentage.'),
  row('cart.items[n].taxCategory', oneOf('AA', 'S', 'E', 'Z'), 'C', 'L3 card data.'),
  row('cart.items[n].shipping', exactAmount, 'C'),
  row('cart.items[n].discount', exactAmount, 'C', 'Discount percentage.'),
  ...rows('cart.items[n].', ['giftMessage', 'shippingMethod', 'shippingInstructions'], text(1, 255), 'O'),
  row('cart.items[n].shippingTrackingNumber', text(1, 255), 'O', '', REFERENCE),
  row('cart.items[n].quantityUnit', oneOf('M', 'CM', 'KG', 'G', 'COUNT'), 'O', 'Default COUNT.', {
    echoDefault: 'COUNT',
  }),
  ...rows('cart.items[n].', ['productUrl', 'imageUrl'], url(1, 2048), 'O'),
  row('cart.items[n].totalDiscountAmount', exactAmount, 'O'),
  ...rows('cart.items[n].', ['productCode', 'partNumber', 'vatReferenceNumber'], text(1, 30), 'O', REFERENCE),
  row('cart.items[n].itemNumber', pattern('1 to 999', /^[1-9][0-9]{0,2}$/), 'O'),
  row('cart.items[n].sellerId', text(1, 255), 'O', 'Marketplace seller.', REFERENCE),
  row('cart.items[n].recipient.salutation', text(1, 5), 'O'),
  ...rows('cart.items[n].recipient.', ['firstName', 'lastName'], text(1, 48), 'O', NO_PAN),
  row('cart.items[n].recipient.middleName', text(1, 50), 'O', '', NO_PAN),
  ...rows('cart.items[n].recipient.', ['apartment', 'street', 'address'], text(1, 100), 'O'),
  row('cart.items[n].recipient.city', text(1, 80), 'O'),
  row('cart.items[n].recipient.state', text(1, 50), 'O'),
  row('cart.items[n].recipient.postcode', text(1, 16), 'O'),
  row('cart.items[n].recipient.country', pattern('2 letters or 3 digits', /^([A-Za-z]{2}|[0-9]{3})$/), 'O'),
  row('cart.items[n].recipient.phone', chars('digits', 1, 25), 'O'),
  row('cart.items[n].recipient.email', text(1, 128), 'O', '', REFERENCE),
  row('cart.items[n].deliveryDate', date, 'O'),
])
