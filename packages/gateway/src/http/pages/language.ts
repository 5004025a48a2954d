import { isLanguage, type LanguageCode, languages } from '@tollgate/contract'

/**
 * The language of a locale: `de`, `de_DE` and `de-AT` are German. A locale may begin with the contract's code of a
 * language or with its BCP 47 tag: `dk` and `da` are Danish. A language without texts is replaced by English.
 */
export function languageOf(locale = ''): LanguageCode {
  const code = locale.slice(0, 2).toLowerCase()
  const byTag = Object.entries(languages).find(([, { tag }]) => tag.slice(0, 2) === code)?.[0] ?? ''
  if (isLanguage(code)) return code
  return isLanguage(byTag) ? byTag : 'en'
}
