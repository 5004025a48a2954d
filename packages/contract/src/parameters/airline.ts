import { country, date, exactAmount, text } from '../format.ts'
import { NO_PAN, REFERENCE, row, rows, section } from '../section.ts'

const passenger = 'airline.passengers[n].'
const leg = 'airline.passengers[n].legs[n].'

const tripFields = [
  'ticketIssueAddress',
  'thirdPartyBooking',
  'bookingtype',
  'ticketDeliveryMethod',
  'bookingRefNum',
  'agentName',
  'agentCode',
] as const

const passengerFields = [
  'type',
  'name',
  'ticketRestricted',
  'ticketNumber',
  'status',
  'phone',
  'frequentFlyerNumber',
  'email',
  'dob',
  'checkDigit',
] as const

const legFields = [
  'ticketNumber',
  'stopOverAllowed',
  'restrictions',
  'flightNumber',
  'fareBasis',
  'exchangeTicketNum',
  'departureCountry',
  'departureAirport',
  'airlineName',
  'airlineCode',
  'departureTime',
  'arrivalCountry',
  'arrivalAirport',
  'arrivalTime',
  'couponNumber',
  'classOfService',
  'carrierCode',
] as const

const names: ReadonlySet<string> = new Set(['name', 'agentName'])

/** Fields with digits that may look like a card number: a ticket number has 13 digits. */
const references: ReadonlySet<string> = new Set([
  'bookingRefNum',
  'agentCode',
  'ticketNumber',
  'phone',
  'frequentFlyerNumber',
  'email',
  'checkDigit',
  'flightNumber',
  'fareBasis',
  'exchangeTicketNum',
  'airlineCode',
  'couponNumber',
  'carrierCode',
])

const texts = <Prefix extends string, Word extends string>(prefix: Prefix, fields: readonly Word[]) =>
  fields.map((name) => row(`${prefix}${name}`, text(1, 255), 'C', '', panOf(name)))

const panOf = (name: string) => (names.has(name) ? NO_PAN : references.has(name) ? REFERENCE : {})

export const airline = section('Airline', 'payment', [
  ...texts('airline.', tripFields),
  ...rows('airline.', ['totalTaxAmount', 'totalFeesAmount', 'totalFareAmount'], exactAmount, 'C'),
  row('airline.ticketIssueDate', date, 'C'),
  ...texts(passenger, passengerFields),
  row(`${passenger}residenceCountry`, country, 'C'),
  ...texts(leg, legFields),
  row(`${leg}timeToDeparture`, text(1, 10), 'C', 'Days.'),
  ...rows(leg, ['taxAmount', 'feesAmount', 'fareAmount', 'departureTaxAmount'], exactAmount, 'C'),
  ...rows(leg, ['departureDate', 'arrivalDate'], date, 'C'),
])
