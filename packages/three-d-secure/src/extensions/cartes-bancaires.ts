import { dataOf, type MessageExtension } from './message-extension.ts'

/** Ids begin with the network's registered application provider identifier. */
const idOf = (name: string): string => `A000000042_${name}`

const requestNames = ['CB-ITEMSNB', 'CB-SCORE_MERCHANT', 'CB-USECASE'] as const
const answerNames = ['CB-AVALGO', 'CB-EXEMPTION', 'CB-SCORE'] as const

type RequestName = (typeof requestNames)[number]
type AnswerName = (typeof answerNames)[number]

export const cartesBancairesIds: readonly string[] = [...requestNames, ...answerNames].map(idOf)

const extension = (name: RequestName | AnswerName, value: string): MessageExtension => ({
  name,
  id: idOf(name),
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

/** Answer of the French network's ACS, which the authorisation repeats. */
export interface CartesBancairesAnswer {
  /** Algorithm of the authentication value: 0 to 4, or A. */
  readonly algorithm: string | undefined
  /** Three bytes in base64, a bit for each exemption that was granted. */
  readonly exemption: string | undefined
  /** 0 to 99. */
  readonly score: string | undefined
}

const formats: Readonly<Record<AnswerName, RegExp>> = {
  'CB-AVALGO': /^[0-4A]$/,
  'CB-EXEMPTION': /^[A-Za-z0-9+/]{4}$/,
  'CB-SCORE': /^[0-9]{1,2}$/,
}

/** Reads the extensions of an answer. Malformed extensions are ignored: the authentication does not depend on them. */
export function readCartesBancaires(extensions: readonly MessageExtension[] | undefined): CartesBancairesAnswer {
  const value = (name: AnswerName): string | undefined => {
    const item = dataOf(extensions, idOf(name))?.[name]
    return typeof item === 'string' && formats[name].test(item) ? item : undefined
  }
  return { algorithm: value('CB-AVALGO'), exemption: value('CB-EXEMPTION'), score: value('CB-SCORE') }
}

/** Makes the extensions of an answer, for an ACS. */
export const cartesBancairesResponse = (answer: {
  readonly algorithm: string
  readonly exemption: string
  readonly score: string
}): MessageExtension[] => [
  extension('CB-AVALGO', answer.algorithm),
  extension('CB-EXEMPTION', answer.exemption),
  extension('CB-SCORE', answer.score),
]

/** Reads an item of the request, at the ACS. */
export function requestedItem(
  extensions: readonly MessageExtension[] | undefined,
  name: RequestName,
): string | undefined {
  const item = dataOf(extensions, idOf(name))?.[name]
  return typeof item === 'string' ? item : undefined
}
