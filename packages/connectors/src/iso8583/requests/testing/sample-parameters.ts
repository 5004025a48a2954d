import { findParameter, furtherSections, type ParameterName, type Secret, sections } from '@tollgate/contract'
import type { AcquirerAccount, AcquirerRequest } from '../../../port.ts'
import type { RowName } from '../row-name.ts'
import { request, secretOf } from './requests.ts'

type ContractRow = (typeof sections)[number]['rows'][number]

/** The rows of the parameters of payments; the header with the access token is none. */
export const paymentRows: readonly ContractRow[] = [...sections, ...furtherSections]
  .filter(({ surface }) => surface === 'payment')
  .flatMap(({ rows }) => rows)
  .filter(({ format }) => format.kind !== 'header')

/** Values that other code than their format restricts. */
const special: Partial<Readonly<Record<RowName, string>>> = {
  'card.number': '4200000000000091',
  'pos.encryptedPin.data': '0123456789ABCDEF',
  'pos.encryptedPin.ksn': '1234567890123456',
  'pos.iccDataRequest': '9F2602AABB',
  'pos.panSequenceNumber': '001',
  sequence: 'FINAL',
}

const candidates: readonly string[] = [
  '12',
  '05',
  '01',
  '000.100.201',
  '123',
  '1',
  '2031',
  '12345678',
  '123456789012',
  'DE',
  'EUR',
  'ABC',
  '92.00',
  '2026-11-20',
  '2026-11-20 10:30:15',
  '2026-11-20 10:30:15+0100',
  '2.2.0',
  '48.1372',
  'Sample',
  'Sample 1',
  'Sample text',
  '+49 89 123456',
  'DEUTDEFF',
  'DE89370400440532013000',
  'https://shop.example/',
  '0 0 0 1 * ?',
  'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=',
  '5'.repeat(32),
  'c75f23af-9454-43f6-ba17-130ed529507e',
]

/** A valid value of a row. */
export function sampleOf({ name, format }: ContractRow): string {
  const sample = special[name] ?? format.schema.enum?.[0] ?? candidates.find((value) => format.accepts(value))
  if (sample === undefined || !format.accepts(sample)) throw new Error(`${name} has no sample`)
  return sample
}

/** The name of the first parameter of a row: with index 0, or with a key. */
export function firstNameOf({ name }: Pick<ContractRow, 'name'>): ParameterName {
  const parameter = findParameter('payment', name.replaceAll('[n]', '[0]').replace(/\[(?:name|key|brand)\]$/, '[note]'))
  if (!parameter) throw new Error(`${name} is no parameter`)
  return parameter.name
}

const kinds = ['card', 'tokenAccount', 'bankAccount', 'virtualAccount', 'giftCard'] as const

const numberNames = {
  card: ['card.number'],
  tokenAccount: ['tokenAccount.number'],
  bankAccount: ['bankAccount.iban', 'bankAccount.number'],
  virtualAccount: ['virtualAccount.accountId'],
  giftCard: ['giftCard.number'],
} as const

const cvvNames = ['card.cvv', 'tokenAccount.dtvc', 'giftCard.pin'] as const
const holderNames = ['card.holder', 'bankAccount.holder', 'giftCard.holder'] as const
const monthNames = ['card.expiryMonth', 'tokenAccount.expiryMonth'] as const
const yearNames = ['card.expiryYear', 'tokenAccount.expiryYear'] as const

/** A request with parameters, whose account is composed of them as the gateway does. */
export function requestWith(
  parameters: Readonly<Record<string, string>>,
  changes: Partial<AcquirerRequest> = {},
): AcquirerRequest {
  const values = new Map<ParameterName, string>()
  const secrets = new Map<ParameterName, Secret>()
  for (const [name, value] of Object.entries(parameters)) {
    const parameter = findParameter('payment', name)
    if (!parameter) throw new Error(`${name} is no parameter`)
    if (parameter.row.secret === undefined) values.set(parameter.name, value)
    else secrets.set(parameter.name, secretOf(value))
  }
  const first = <Value>(names: readonly ParameterName[], map: ReadonlyMap<ParameterName, Value>) =>
    names.map((name) => map.get(name)).find((value) => value !== undefined)
  const kind = kinds.find((one) => Object.keys(parameters).some((name) => name.startsWith(`${one}.`)))
  const account: AcquirerAccount | undefined = kind && {
    kind,
    number: first(numberNames[kind], secrets),
    holder: first(holderNames, values),
    expiryMonth: first(monthNames, values),
    expiryYear: first(yearNames, values),
    cvv: first(cvvNames, secrets),
  }
  const descriptor = values.get('descriptor')
  return request({
    account,
    parameters: values,
    secrets,
    ...(descriptor !== undefined && { descriptor }),
    ...changes,
  })
}
