import { isKeyOf } from './is-key-of.ts'

/** One language of the widget. */
export interface Language {
  readonly name: string
  /** The name of the language in the language itself. */
  readonly native: string
  /** BCP 47 tag: some of the contract's codes are country codes. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
}

/** The 25 languages of the widget, in the contract's order (Endpoints, rule 4). */
const table = {
  en: { name: 'English', native: 'English', tag: 'en', direction: 'ltr' },
  de: { name: 'German', native: 'Deutsch', tag: 'de', direction: 'ltr' },
  fr: { name: 'French', native: 'Français', tag: 'fr', direction: 'ltr' },
  es: { name: 'Spanish', native: 'Español', tag: 'es', direction: 'ltr' },
  it: { name: 'Italian', native: 'Italiano', tag: 'it', direction: 'ltr' },
  nl: { name: 'Dutch', native: 'Nederlands', tag: 'nl', direction: 'ltr' },
  dk: { name: 'Danish', native: 'Dansk', tag: 'da', direction: 'ltr' },
  fi: { name: 'Finnish', native: 'Suomi', tag: 'fi', direction: 'ltr' },
  se: { name: 'Swedish', native: 'Svenska', tag: 'sv', direction: 'ltr' },
  tr: { name: 'Turkish', native: 'Türkçe', tag: 'tr', direction: 'ltr' },
  ja: { name: 'Japanese', native: '日本語', tag: 'ja', direction: 'ltr' },
  sl: { name: 'Slovenian', native: 'Slovenščina', tag: 'sl', direction: 'ltr' },
  pt: { name: 'Portuguese', native: 'Português', tag: 'pt', direction: 'ltr' },
  pl: { name: 'Polish', native: 'Polski', tag: 'pl', direction: 'ltr' },
  cz: { name: 'Czech', native: 'Čeština', tag: 'cs', direction: 'ltr' },
  hu: { name: 'Hungarian', native: 'Magyar', tag: 'hu', direction: 'ltr' },
  bg: { name: 'Bulgarian', native: 'Български', tag: 'bg', direction: 'ltr' },
  ro: { name: 'Romanian', native: 'Română', tag: 'ro', direction: 'ltr' },
  ru: { name: 'Russian', native: 'Русский', tag: 'ru', direction: 'ltr' },
  cn: { name: 'Chinese, simplified', native: '简体中文', tag: 'zh-Hans', direction: 'ltr' },
  gr: { name: 'Greek', native: 'Ελληνικά', tag: 'el', direction: 'ltr' },
  no: { name: 'Norwegian', native: 'Norsk', tag: 'nb', direction: 'ltr' },
  sk: { name: 'Slovak', native: 'Slovenčina', tag: 'sk', direction: 'ltr' },
  ar: { name: 'Arabic', native: 'العربية', tag: 'ar', direction: 'rtl' },
  ko: { name: 'Korean', native: '한국어', tag: 'ko', direction: 'ltr' },
} as const satisfies Readonly<Record<string, Language>>

/** Code of a widget language, such as `dk`. */
export type LanguageCode = keyof typeof table

/** The widget's languages by their code. */
export const languages: Readonly<Record<LanguageCode, Language>> = table

/** Whether `code` is a language of the widget; lower case only. */
export const isLanguage = isKeyOf(languages)

/**
 * The first requested language that is offered; otherwise the first offered one. Only a language whose code is its
 * BCP 47 language subtag can be requested: `de`, but not `dk`, which has the tag `da`.
 *
 * @param requested BCP 47 tags, in the order of preference
 * @param accepted the header Accept-Language, considered last, in its order; its weights are ignored
 */
export function chooseLanguage<Code extends LanguageCode>(
  offered: readonly [Code, ...Code[]],
  requested: readonly (string | null | undefined)[],
  accepted = '',
): Code {
  for (const tag of [...requested, ...accepted.split(',').map((part) => part.split(';')[0])]) {
    const primary = tag?.trim().toLowerCase().split(/[-_]/)[0]
    const chosen = offered.find((code) => code === primary)
    if (chosen) return chosen
  }
  return offered[0]
}
