import { type Language, languages } from '@tollgate/contract'

/** The languages of the pages: one of each direction, and one whose words are long. */
export const pageLanguages = ['en', 'de', 'ar'] as const

/** A language of the pages. */
export type PageLanguage = (typeof pageLanguages)[number]

/** What is known of it. */
export const languageOf = (code: PageLanguage): Language => languages[code]

const find = (tag: string | null | undefined): PageLanguage | undefined => {
  const primary = tag?.trim().toLowerCase().split(/[-_]/)[0]
  return pageLanguages.find((code) => code === primary)
}

/**
 * The first of the wishes that can be fulfilled.
 *
 * @param wishes BCP 47 tags
 * @param accepted the header Accept-Language, which is asked last; its order counts, its weights do not
 */
export function chooseLanguage(
  wishes: readonly (string | null | undefined)[],
  accepted: string | undefined,
): PageLanguage {
  for (const wish of [...wishes, ...(accepted ?? '').split(',').map((part) => part.split(';')[0])]) {
    const found = find(wish)
    if (found) return found
  }
  return 'en'
}

/** An amount as people read it: `92.00` and `EUR` make `€92.00`. */
export function amountText(language: PageLanguage, amount: string, currency: string): string {
  return new Intl.NumberFormat(languageOf(language).tag, { style: 'currency', currency }).format(Number(amount))
}
