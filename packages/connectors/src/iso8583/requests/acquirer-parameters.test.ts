import type { IssuerSchemeData } from '@tollgate/contract'
import { describe, expect, it, test } from 'vitest'
import type { AcquirerOperation, AcquirerRequest } from '../../port.ts'
import { acquirerParameters, type ParameterPlace } from './acquirer-parameters.ts'
import { keptParameters } from './kept-parameters.ts'
import type { OriginalMessage } from './message-source.ts'
import { requestMessage } from './request-message.ts'
import { asciiText, elementsOf, original, profile, trace } from './testing/requests.ts'
import { firstNameOf, paymentRows, requestWith, sampleOf } from './testing/sample-parameters.ts'

/** Parameters that the gateway adds, so that the tables of the contract have no rows for them. */
const addedByGateway: readonly IssuerSchemeData[] = [
  'threeDSecure.schemeData[CB-AVALGO]',
  'threeDSecure.schemeData[CB-EXEMPTION]',
  'threeDSecure.schemeData[CB-SCORE]',
]

type Fields = Readonly<Record<number, string | Uint8Array | undefined>>

interface Message {
  readonly type: string
  readonly fields: Fields
}

const messageOf = (
  parameters: Readonly<Record<string, string>>,
  changes: Partial<AcquirerRequest> = {},
  originalMessage?: OriginalMessage,
): Message =>
  requestMessage(requestWith(parameters, { operation: 'DB', ...changes }), trace(), profile, originalMessage)

/** The value in a place: of a list that of its first item. */
function valueAt({ type, fields }: Message, { field, tags }: ParameterPlace): string | undefined {
  if (field === 0) return type
  const value = fields[field]
  if (tags.length === 0) return isBytes(field) && value ? hexOf(value) : textOf(value)
  let text = textOf(value)
  for (const tag of tags) {
    const elements = elementsOf(text)
    text = elements[tag.length === 1 ? `${tag}0` : tag]
  }
  return text
}

const isBytes = (field: number): boolean => field === 52 || field === 55
const textOf = (value: string | Uint8Array | undefined): string | undefined =>
  value instanceof Uint8Array ? asciiText(value) : value
const hexOf = (value: string | Uint8Array): string => Buffer.from(value).toString('hex').toUpperCase()

const placeText = ({ field, tags }: ParameterPlace): string => [field, ...tags].join('.')

describe('the table', () => {
  it('has every parameter of a payment, and no other', () => {
    const names = [...paymentRows.map(({ name }) => name), ...addedByGateway]
    expect([...acquirerParameters.keys()].toSorted()).toEqual(names.toSorted())
  })

  it('gives a parameter either places or a reason', () => {
    const kept = new Set<string>(keptParameters.map(([name]) => name))
    expect(keptParameters).toHaveLength(kept.size)
    for (const [name, treatment] of acquirerParameters) expect('reason' in treatment, name).toBe(kept.has(name))
  })
})

interface CodedCase {
  readonly value: string
  readonly expected: string
  readonly with?: Readonly<Record<string, string>>
  readonly operation?: AcquirerOperation
  readonly original?: OriginalMessage
}

const coded = (
  value: string,
  expected: string,
  others: Readonly<Record<string, string>> = {},
  operation: AcquirerOperation = 'DB',
): CodedCase => ({ value, expected, with: others, operation })

const instalment = { 'standingInstruction.type': 'INSTALLMENT', 'standingInstruction.mode': 'INITIAL' }
const agreement = {
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
}
const longName = 'A name of more than 25 characters'
const longAccount = `MT84MALT${'1'.repeat(23)}`
const month = { 'card.expiryMonth': '12', 'card.expiryYear': '2031' }
const tokenMonth = { 'tokenAccount.expiryMonth': '12', 'tokenAccount.expiryYear': '2031' }
const street = { 'billing.street1': 'Main Street', 'billing.houseNumber1': '1', 'billing.postcode': '10115' }
const statement = (name: string, city = 'MUENCHEN', country = 'DE'): string =>
  `${name.slice(0, 25).padEnd(25)}${city.padEnd(13)}${country}`
const capture: OriginalMessage = { ...original, captureSequence: 3 }

/** Parameters whose value a message has in another form, by name and place. */
const codedCases: Readonly<Record<string, CodedCase>> = {
  'paymentType 0': { value: 'CP', expected: '0220', operation: 'CP' },
  'paymentType 3': { value: 'RF', expected: '200000', operation: 'RF' },
  'transactionProcessingCode 3': coded('FUNDING', '100000'),
  'amount 4': coded('92.00', '000000009200'),
  'card.expiryMonth 14': coded('12', '3112', month),
  'card.expiryYear 14': coded('2031', '3112', month),
  'tokenAccount.expiryMonth 14': coded('12', '3112', tokenMonth),
  'tokenAccount.expiryYear 14': coded('2031', '3112', tokenMonth),
  'merchant.mcc 18': coded('5999', '5999'),
  'pos.entryMode 22': coded('ICC', '050'),
  'pos.pinEntryCapability 22': coded('PIN_ENTRY_AVAILABLE', '011'),
  'standingInstruction.mode 22': coded('REPEATED', '100'),
  'transactionCategory 25': coded('MOTO', '08'),
  'merchant.name 43': coded('ACME', statement('ACME')),
  'merchant.city 43': coded('Ulm', statement('SHOP*ORDER 4711', 'Ulm')),
  'merchant.country 43': coded('AT', statement('SHOP*ORDER 4711', 'MUENCHEN', 'AT')),
  'descriptor 43': coded('Shop', statement('Shop')),
  'descriptor 48.15': coded(longName, longName),
  'descriptor 104': coded(longName, longName),
  'merchant.name 48.15': coded(longName, longName),
  'currency 49': coded('EUR', '978'),
  'giftCard.number 2': coded('6006490000000001', '6006490000000001'),
  'giftCard.number 102': coded('GIFT-CARD-1', 'GIFT-CARD-1'),
  'giftCard.number 48.24': coded(`G-${'1'.repeat(30)}`, `G-${'1'.repeat(30)}`),
  'bankAccount.iban 48.24': coded(longAccount, longAccount),
  'bankAccount.number 48.24': coded('1'.repeat(40), '1'.repeat(40)),
  'virtualAccount.accountId 48.24': coded('v'.repeat(40), 'v'.repeat(40)),
  'recipient.accountNumber 48.25': coded('1'.repeat(32), '1'.repeat(32)),
  'pos.encryptedPin.ksn 48.22': coded('FFFF9876543210E00001', 'FFFF9876543210E00001'),
  'pos.encryptedPin.data 48.23': coded('01234567', '01234567'),
  'standingInstruction.type 48.06': coded('RECURRING', 'MRR', agreement),
  'standingInstruction.recurringType 48.06': coded('STANDING_ORDER', 'MRS', agreement),
  'standingInstruction.mode 48.06': coded('REPEATED', 'MRR', agreement),
  'standingInstruction.source 48.06': coded('MIT', 'MRR', agreement),
  'standingInstruction.industryPractice 48.07': coded('NO_SHOW', '4'),
  'billing.street1 48.10': coded('Main Street', 'Main Street 1/10115', street),
  'billing.houseNumber1 48.10': coded('1', 'Main Street 1/10115', street),
  'billing.postcode 48.10': coded('10115', 'Main Street 1/10115', street),
  'numberOfCaptures 48.13': { value: '3', expected: '0303', operation: 'CP', original: capture },
  'numberOfCaptures 48.14': { value: '3', expected: 'F', operation: 'CP', original: capture },
  'sequence 48.14': coded('FINAL', 'F', {}, 'CP'),
  'standingInstruction.numberOfInstallments 48.17': coded('12', '1/12/M', instalment),
  'recurring.numberOfInstallments 48.17': coded('6', '1/6/A'),
  'threeDSecure.schemeData[CB-ITEMSNB] 48.20': coded('03', 'IN00203'),
  'threeDSecure.schemeData[CB-SCORE_MERCHANT] 48.20': coded('75', 'SM00275'),
  'threeDSecure.schemeData[CB-USECASE] 48.20': coded('01', 'UC00201'),
  'merchant.data[key] 121.D': coded('12', 'note=12'),
}

const placesOf = (name: string): readonly ParameterPlace[] => {
  const treatment = acquirerParameters.get(name)
  return treatment && 'places' in treatment ? treatment.places : []
}

const placedRows = paymentRows.flatMap((row) =>
  placesOf(row.name).map((place) => ({ row, place, title: `${row.name} ${placeText(place)}` })),
)

describe('a parameter is in its place:', () => {
  test.each(placedRows.map(({ title, row, place }) => [title, row, place] as const))('%s', (title, row, place) => {
    const {
      value,
      expected,
      with: others,
      operation = 'DB',
      original: referred,
    } = codedCases[title] ?? {
      value: sampleOf(row),
      expected: sampleOf(row),
    }
    const message = messageOf({ ...others, [firstNameOf(row)]: value }, { operation }, referred)
    expect(valueAt(message, place)).toBe(expected)
  })

  it('has no case for a place that does not exist', () => {
    const titles = new Set(placedRows.map(({ title }) => title))
    expect(Object.keys(codedCases).filter((title) => !titles.has(title))).toEqual([])
  })
})

describe('a parameter that stays', () => {
  const stays = paymentRows.filter(({ name }) => placesOf(name).length === 0)
  const plain = JSON.stringify(messageOf({}))

  test.each(stays.map((row) => [row.name, row] as const))('%s changes no message', (_, row) => {
    expect(JSON.stringify(messageOf({ [firstNameOf(row)]: sampleOf(row) }))).toBe(plain)
  })
})
