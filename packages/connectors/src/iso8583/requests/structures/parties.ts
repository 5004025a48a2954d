import { billingRows, shippingRows } from './address-rows.ts'
import { list, structure, type StructurePart } from './structure.ts'

/** The merchant; its name, category and country are in fields 43 and 18. */
const merchant = structure('merchant.', 'M', [
  ['1', 'street'],
  ['2', 'city'],
  ['3', 'state'],
  ['4', 'countryCode'],
  ['5', 'postcode'],
  ['6', 'geographicCoordinates'],
  ['7', 'serviceLocationCity'],
  ['8', 'serviceLocationState'],
  ['9', 'serviceLocationCountryCode'],
  ['A', 'serviceLocationPostCode'],
  ['B', 'serviceLocationGeographicCoordinates'],
  ['C', 'additionalContact'],
  ['D', 'phone'],
  ['E', 'customerContactPhone'],
  ['F', 'websiteId'],
  ['G', 'url'],
  ['H', 'partnerIdCode'],
  ['I', 'isoId'],
  ['J', 'payFacId'],
  ['K', 'payFacName'],
  ['L', 'marketplaceId'],
  ['M', 'submerchantId'],
  ['N', 'taxId'],
  ['O', 'foreignRetailIndicator'],
  ['P', 'legalName'],
])

const corporate = structure('corporate.', 'C', [
  ['1', 'name'],
  ['2', 'description'],
  ['3', 'street'],
  ['4', 'address'],
  ['5', 'city'],
  ['6', 'state'],
  ['7', 'postCode'],
  ['8', 'suite'],
  ['9', 'postboxNumber'],
  ['A', 'purchase'],
  ['B', 'phone'],
  ['C', 'fax'],
  ['D', 'vatId'],
])

/** The account number is in field 102. */
const sender = structure('sender.', 'F', [
  ['1', 'name'],
  ['2', 'givenName'],
  ['3', 'middleName'],
  ['4', 'surname'],
  ['5', 'birthDate'],
  ['6', 'street'],
  ['7', 'city'],
  ['8', 'state'],
  ['9', 'country'],
  ['A', 'accountNumberType'],
  ['B', 'sourceOfFunds'],
])

/** The account number is in field 103. */
const recipient = structure('recipient.', 'T', [
  ['1', 'givenName'],
  ['2', 'middleName'],
  ['3', 'surname'],
  ['4', 'birthDate'],
  ['5', 'phone'],
  ['6', 'street'],
  ['7', 'city'],
  ['8', 'state'],
  ['9', 'country'],
  ['A', 'postcode'],
  ['B', 'accountNumberType'],
])

const sellers = list('marketPlace.sellers', 'marketPlace.sellers[n].', 'S', [
  ['1', 'id'],
  ['2', 'amount'],
])

const merchantBilling = structure('merchant.billing.', 'B', [
  ...billingRows,
  ['B', 'givenName'],
  ['C', 'surname'],
  ['D', 'middleName'],
  ['E', 'companyName'],
  ['F', 'phone'],
  ['G', 'workPhone'],
  ['H', 'mobile'],
  ['I', 'email'],
])

/** Field 121: the merchant and the other parties of the payment. */
export const parties: readonly StructurePart[] = [
  merchant,
  sender,
  recipient,
  corporate,
  sellers,
  merchantBilling,
  structure('merchant.shipping.', 'V', shippingRows),
  { kind: 'map', prefix: 'merchant.data[', letter: 'D', name: 'merchant.data[key]' },
]
