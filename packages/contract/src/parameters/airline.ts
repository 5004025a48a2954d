import { country, date, exactAmount, text } from '../format.ts'
import { alike, row, section } from '../section.ts'

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
]

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
]

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
]

export const airline = section('Airline', 'payment', [
  ...alike('airline.', tripFields, text(1, 255), 'C'),
  ...alike('airline.', ['totalTaxAmount', 'totalFeesAmount', 'totalFareAmount'], exactAmount, 'C'),
  row('airline.ticketIssueDate', date, 'C'),
  ...alike(passenger, passengerFields, text(1, 255), 'C'),
  row(`${passenger}residenceCountry`, country, 'C'),
  ...alike(leg, legFields, text(1, 255), 'C'),
  row(`${leg}timeToDeparture`, text(1, 10), 'C', 'Days.'),
  ...alike(leg, ['taxAmount', 'feesAmount', 'fareAmount', 'departureTaxAmount'], exactAmount, 'C'),
  ...alike(leg, ['departureDate', 'arrivalDate'], date, 'C'),
])
