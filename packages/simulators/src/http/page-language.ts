import { chooseLanguage, type Language, languages } from '@tollgate/contract'

/** The languages of the pages: one of each direction, and one whose words are long. The first is the default. */
export const pageLanguages = ['en', 'de', 'ar'] as const

/** A language of the pages. */
export type PageLanguage = (typeof pageLanguages)[number]

/** Name, tag and direction of a language. */
export const languageOf = (code: PageLanguage): Language => languages[code]

/** @param accepted the header Accept-Language, considered last */
export const choosePageLanguage = (wishes: readonly (string | null | undefined)[], accepted: string | undefined) =>
  chooseLanguage(pageLanguages, wishes, accepted)

/** An amount as people read it: `92.00` and `EUR` make `€92.00`. */
export function amountText(language: PageLanguage, amount: string, currency: string): string {
  return new Intl.NumberFormat(languageOf(language).tag, { style: 'currency', currency }).format(Number(amount))
}
