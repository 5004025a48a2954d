// Shoppers of the workload: names, addresses and test cards in the lengths and alphabets of real forms.

/** A shopper and the card with which they pay, by the parameters of a payment. */
export type Shopper = Readonly<Record<(typeof shopperParameters)[number], string>>

const shopperParameters = [
  'paymentBrand',
  'card.number',
  'card.holder',
  'card.expiryMonth',
  'card.expiryYear',
  'card.cvv',
  'customer.givenName',
  'customer.surname',
  'customer.email',
  'customer.ip',
  'customer.merchantCustomerId',
  'billing.street1',
  'billing.city',
  'billing.postcode',
  'billing.country',
] as const

/**
 * The shopper of a payment.
 * @param number of the payment, from which all values follow
 * @param numberText stands in the e-mail address, so that no two payments have the same address
 */
export function shopperOf(number: number, numberText: string): Shopper {
  const givenName = pick(givenNames, number, 1)
  const surname = pick(surnames, number, 2)
  const [city, country, postcode] = pick(cities, number, 3)
  const [brand, cardNumber] = pick(cards, number, 4)
  const block = (field: number) => String(vary(number, field, 256))
  return {
    paymentBrand: brand,
    'card.number': cardNumber,
    'card.holder': `${givenName} ${surname}`,
    'card.expiryMonth': String(1 + vary(number, 5, 12)).padStart(2, '0'),
    'card.expiryYear': String(2030 + vary(number, 6, 10)),
    'card.cvv': String(vary(number, 7, 1000)).padStart(3, '0') + (brand === 'AMEX' ? '0' : ''),
    'customer.givenName': givenName,
    'customer.surname': surname,
    'customer.email': `${mailbox(surname)}${numberText}@${pick(mailDomains, number, 8)}`,
    'customer.ip': `203.${block(9)}.${block(10)}.${block(11)}`,
    'customer.merchantCustomerId': `customer-${vary(number, 12, 1_000_000)}`,
    'billing.street1': `${1 + vary(number, 13, 250)} ${pick(streets, number, 14)}`,
    'billing.city': city,
    'billing.postcode': `${postcode}${String(vary(number, 15, 1000)).padStart(3, '0')}`,
    'billing.country': country,
  }
}

/**
 * A whole number from 0 to below `bound`. The values of different fields of a payment are independent: the hash is the
 * finaliser of MurmurHash3.
 */
export function vary(number: number, field: number, bound: number): number {
  let hash = Math.imul(number, 0x9e3779b1) + Math.imul(field, 0x85ebca77)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % bound
}

function pick<T>(values: readonly T[], number: number, field: number): T {
  const value = values[vary(number, field, values.length)]
  if (value === undefined) throw new Error('a list of values of the shoppers is empty')
  return value
}

/** The surname in the alphabet of e-mail addresses. */
const mailbox = (surname: string) =>
  surname
    .normalize('NFD')
    .replaceAll(/[^a-z]/gi, '')
    .toLowerCase()

/** Test cards that are approved and not enrolled in 3-D Secure (test-cards.ts of the simulated acquirer). */
const cards: readonly (readonly [brand: string, number: string])[] = [
  ['VISA', '4111111111111111'],
  ['MASTER', '5454545454545454'],
  ['AMEX', '378282246310005'],
  ['DINERS', '30569309025904'],
  ['DISCOVER', '6011111111111117'],
  ['JCB', '3528000000000007'],
  ['MAESTRO', '6759649826438453'],
  ['CARTEBANCAIRE', '4000002500001001'],
  ['VISADEBIT', '4400000000000008'],
  ['VISAELECTRON', '4917300800000000'],
]

const givenNames = (
  'Jane, Ali, Mona, Peter, Anneliese, Jo, Yusuf, Kateryna, José, Maximilian, Li, Amélie, ' +
  'Noah, Fatima, Sven, Giulia, Oluwaseun, Emma, Jürgen, Priya, Tom, Alexandra, Hiroshi, Zoe'
).split(', ')

const surnames = (
  'Jones, Haddad, Smith, Oberhuber, Li, Kowalczyk-Nowak, Garcia, Okonkwo, Müller, Rossi, ' +
  "Dubois, Andersson, O'Brien, Yamamoto, Patel, Silva, Novak, Papadopoulos, Al-Rashid, Kim, " +
  'Fernández, van den Berg, Schmidt, Taylor, Ivanova, Nguyen, Lefèvre, Horvat, Demir, Brown'
).split(', ')

const streets = (
  'High Street, Rue de la Paix, Hauptstraße, King Fahd Road, Main Avenue, Station Road, Via Roma, ' +
  'Calle Mayor, Kungsgatan, Lindenallee, Avenue Victor Hugo, Church Lane, Bahnhofstraße, Park View, ' +
  'Mill Road, Königsberger Straße, Rua Augusta, Oxford Terrace, Boulevard Saint-Michel, Elm Street'
).split(', ')

/** The last column has the first characters of a postcode. */
const cities: readonly (readonly [city: string, country: string, postcode: string])[] = [
  ['London', 'GB', 'EC1A'],
  ['Paris', 'FR', '75'],
  ['Berlin', 'DE', '10'],
  ['Riyadh', 'SA', '11'],
  ['Boston', 'US', '02'],
  ['München', 'DE', '80'],
  ['Madrid', 'ES', '28'],
  ['Roma', 'IT', '00'],
  ['Stockholm', 'SE', '11'],
  ['Lisboa', 'PT', '1'],
  ['Dublin', 'IE', 'D02X'],
  ['Warszawa', 'PL', '00'],
  ['Wien', 'AT', '1'],
  ['Amsterdam', 'NL', '1'],
  ['Castrop-Rauxel', 'DE', '44'],
  ['San Francisco', 'US', '94'],
]

const mailDomains = ['example.com', 'example.org', 'example.net', 'mail.example.com']
