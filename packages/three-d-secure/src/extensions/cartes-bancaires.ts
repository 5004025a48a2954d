import { dataOf, type MessageExtension } from './message-extension.ts'

/** Ids begin with the network's registered application provider identifier. */
const extensionIdOf = (name: string): string => `A000000042_${name}`

const requestNames = ['CB-ITEMSNB', 'CB-SCORE_MERCHANT', 'CB-USECASE'] as const
const responseNames = ['CB-AVALGO', 'CB-EXEMPTION', 'CB-SCORE'] as const

type RequestName = (typeof requestNames)[number]
type ResponseName = (typeof responseNames)[number]

export const cartesBancairesIds: readonly string[] = [...requestNames, ...responseNames].map(extensionIdOf)

const extension = (name: RequestName | ResponseName, value: string): MessageExtension => ({
  name,
  id: extensionIdOf(name),
  criticalityIndicator: false,
  data: { [name]: value },
})

/**
 * The French network's extensions of an authentication request.
 *
 * @param data `threeDSecure.schemeData[...]` by their names: number of items, the merchant's score, the use case
 */
export const cartesBancairesRequest = (
  data: {
    readonly [Name in RequestName]?: string | undefined
  },
): MessageExtension[] =>
  requestNames.flatMap((name) => {
    const value = data[name]
    return value === undefined ? [] : [extension(name, value)]
  })

/** Data of the French network in an authentication response or results request. The authorisation repeats them. */
export interface CartesBancairesResponse {
  /** Algorithm of the authentication value: 0 to 4, or A. */
  readonly algorithm: string | undefined
  /** Three bytes in base64, a bit for each exemption that was granted. */
  readonly exemption: string | undefined
  /** 0 to 99. */
  readonly score: string | undefined
}

const formats: Readonly<Record<ResponseName, RegExp>> = {
  'CB-AVALGO': /^[0-4A]$/,
  'CB-EXEMPTION': /^[A-Za-z0-9+/]{4}$/,
  'CB-SCORE': /^[0-9]{1,2}$/,
}

/**
 * Reads the extensions of an authentication response or a results request. Malformed extensions are ignored: the
 * authentication does not depend on them.
 */
export function readCartesBancairesResponse(
  extensions: readonly MessageExtension[] | undefined,
): CartesBancairesResponse {
  const value = (name: ResponseName): string | undefined => {
    const item = dataOf(extensions, extensionIdOf(name))?.[name]
    return typeof item === 'string' && formats[name].test(item) ? item : undefined
  }
  return { algorithm: value('CB-AVALGO'), exemption: value('CB-EXEMPTION'), score: value('CB-SCORE') }
}

/** The French network's extensions of an authentication response, for an ACS. */
export const cartesBancairesResponse = (response: {
  readonly algorithm: string
  readonly exemption: string
  readonly score: string
}): MessageExtension[] => [
  extension('CB-AVALGO', response.algorithm),
  extension('CB-EXEMPTION', response.exemption),
  extension('CB-SCORE', response.score),
]

/** Reads one item of the extensions of an authentication request, at the ACS. */
export function readCartesBancairesItem(
  extensions: readonly MessageExtension[] | undefined,
  name: RequestName,
): string | undefined {
  const item = dataOf(extensions, extensionIdOf(name))?.[name]
  return typeof item === 'string' ? item : undefined
}
