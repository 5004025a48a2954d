import type { HostRequest } from './host-request.ts'

/** The result of an address verification by the postcode, the part of element 10 after its last slash. */
export const addressResults: Readonly<Record<string, string>> = {
  '00000': 'N',
  '11111': 'A',
  '22222': 'Z',
  '33333': 'U',
}

const ADDRESS_MATCHES = 'Y'
const ADDRESS_ABSENT = 'U'

const cvvResults = { zeros: 'N', absent: 'P', other: 'M' } as const satisfies Record<HostRequest['cvv'], string>

/** Field 44: the source 5 (issuer), the result of the address at position 2, and of the cvv at position 11. */
export function resultsOf({ address, cvv }: Pick<HostRequest, 'address' | 'cvv'>): string {
  const postcode = address?.slice(address.lastIndexOf('/') + 1).trim()
  const result = postcode === undefined ? ADDRESS_ABSENT : (addressResults[postcode] ?? ADDRESS_MATCHES)
  return `5${result}        ${cvvResults[cvv]}`
}
