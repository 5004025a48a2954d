import { list, structure, type StructurePart } from './structure.ts'

const trip = structure('airline.', 'A', [
  ['1', 'ticketIssueAddress'],
  ['2', 'thirdPartyBooking'],
  ['3', 'bookingtype'],
  ['4', 'ticketDeliveryMethod'],
  ['5', 'bookingRefNum'],
  ['6', 'agentName'],
  ['7', 'agentCode'],
  ['8', 'totalTaxAmount'],
  ['9', 'totalFeesAmount'],
  ['A', 'totalFareAmount'],
  ['B', 'ticketIssueDate'],
])

const legs = list('legs', 'airline.passengers[n].legs[n].', 'L', [
  ['1', 'ticketNumber'],
  ['2', 'stopOverAllowed'],
  ['3', 'restrictions'],
  ['4', 'flightNumber'],
  ['5', 'fareBasis'],
  ['6', 'exchangeTicketNum'],
  ['7', 'departureCountry'],
  ['8', 'departureAirport'],
  ['9', 'airlineName'],
  ['A', 'airlineCode'],
  ['B', 'departureTime'],
  ['C', 'arrivalCountry'],
  ['D', 'arrivalAirport'],
  ['E', 'arrivalTime'],
  ['F', 'couponNumber'],
  ['G', 'classOfService'],
  ['H', 'carrierCode'],
  ['I', 'timeToDeparture'],
  ['J', 'taxAmount'],
  ['K', 'feesAmount'],
  ['L', 'fareAmount'],
  ['M', 'departureTaxAmount'],
  ['N', 'departureDate'],
  ['O', 'arrivalDate'],
])

const passengers = list(
  'airline.passengers',
  'airline.passengers[n].',
  'P',
  [
    ['1', 'type'],
    ['2', 'name'],
    ['3', 'ticketRestricted'],
    ['4', 'ticketNumber'],
    ['5', 'status'],
    ['6', 'phone'],
    ['7', 'frequentFlyerNumber'],
    ['8', 'email'],
    ['9', 'dob'],
    ['A', 'checkDigit'],
    ['B', 'residenceCountry'],
  ],
  legs,
)

/** Field 122: the itinerary of a payment for flights. */
export const airline: readonly StructurePart[] = [trip, passengers]
