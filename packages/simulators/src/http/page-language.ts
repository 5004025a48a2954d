import { chooseLanguage, type Language, languages } from '@tollgate/contract'

/** The languages of the pages: the default, a language with long words, and a language written from right to left. */
export const pageLanguages = ['en', 'de', 'ar'] as const

/** A language of the pages. */
export type PageLanguage = (typeof pageLanguages)[number]

/** Name, tag and direction of a language. */
export const languageOf = (code: PageLanguage): Language => languages[code]

/**
 * Chooses the language of a page.
 *
 * @param preferred language tags, the most preferred first
 * @param accepted the header Accept-Language, which is considered last
 */
export const choosePageLanguage = (preferred: readonly (string | null | undefined)[], accepted: string | undefined) =>
  chooseLanguage(pageLanguages, preferred, accepted)

/** Formats an amount for people: in English, `92.00` and `EUR` become `€92.00`. */
export function amountText(language: PageLanguage, amount: string, currency: string): string {
  return new Intl.NumberFormat(languageOf(language).tag, { style: 'currency', currency }).format(Number(amount))
}
