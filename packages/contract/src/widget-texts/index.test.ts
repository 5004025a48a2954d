import { describe, expect, test } from 'vitest'
import { isLanguage, type LanguageCode, languages } from '../languages.ts'
import { widgetTexts } from './index.ts'
import { type WidgetText, widgetTextKeys } from './keys.ts'

const codes = Object.keys(languages).filter(isLanguage)

/** The usual names of the fields, and the signs for month and year, on payment pages of each language. */
const terms: Readonly<Record<LanguageCode, string>> = {
  en: 'Card number, Name on card, Expiry date, Security code, Postcode, MM / YY',
  de: 'Kartennummer, Name auf der Karte, Gültig bis, Sicherheitscode, Postleitzahl, MM / JJ',
  fr: 'Numéro de carte, Nom sur la carte, Date d’expiration, Code de sécurité, Code postal, MM / AA',
  es: 'Número de tarjeta, Nombre en la tarjeta, Fecha de caducidad, Código de seguridad, Código postal, MM / AA',
  it: 'Numero della carta, Nome sulla carta, Data di scadenza, Codice di sicurezza, CAP, MM / AA',
  nl: 'Kaartnummer, Naam op kaart, Vervaldatum, Beveiligingscode, Postcode, MM / JJ',
  dk: 'Kortnummer, Navn på kort, Udløbsdato, Sikkerhedskode, Postnummer, MM / ÅÅ',
  fi: 'Kortin numero, Nimi kortissa, Voimassaoloaika, Turvakoodi, Postinumero, KK / VV',
  se: 'Kortnummer, Namn på kortet, Utgångsdatum, Säkerhetskod, Postnummer, MM / ÅÅ',
  tr: 'Kart numarası, Kart üzerindeki ad soyad, Son kullanma tarihi, Güvenlik kodu, Posta kodu, AA / YY',
  ja: 'カード番号, カード名義人, 有効期限, セキュリティコード, 郵便番号, 月 / 年',
  sl: 'Številka kartice, Ime na kartici, Datum veljavnosti, Varnostna koda, Poštna številka, MM / LL',
  pt: 'Número do cartão, Nome no cartão, Data de validade, Código de segurança, Código postal, MM / AA',
  pl: 'Numer karty, Imię i nazwisko na karcie, Data ważności, Kod zabezpieczający, Kod pocztowy, MM / RR',
  cz: 'Číslo karty, Jméno na kartě, Platnost karty, Bezpečnostní kód, PSČ, MM / RR',
  hu: 'Kártyaszám, A kártyán szereplő név, Lejárati dátum, Biztonsági kód, Irányítószám, HH / ÉÉ',
  bg: 'Номер на картата, Име върху картата, Валидна до, Код за сигурност, Пощенски код, ММ / ГГ',
  ro: 'Numărul cardului, Numele de pe card, Data expirării, Codul de securitate, Cod poștal, LL / AA',
  ru: 'Номер карты, Имя на карте, Срок действия, Код безопасности, Почтовый индекс, ММ / ГГ',
  cn: '卡号, 持卡人姓名, 有效期, 安全码, 邮政编码, 月 / 年',
  gr: 'Αριθμός κάρτας, Όνομα στην κάρτα, Ημερομηνία λήξης, Κωδικός ασφαλείας, Ταχυδρομικός κώδικας, ΜΜ / ΕΕ',
  no: 'Kortnummer, Navn på kortet, Utløpsdato, Sikkerhetskode, Postnummer, MM / ÅÅ',
  sk: 'Číslo karty, Meno na karte, Platnosť karty, Bezpečnostný kód, PSČ, MM / RR',
  ar: 'رقم البطاقة, الاسم على البطاقة, تاريخ الانتهاء, رمز الأمان, الرمز البريدي, MM / YY',
  ko: '카드 번호, 카드 소유자 이름, 유효기간, 보안 코드, 우편번호, MM / YY',
}
const termKeys: readonly WidgetText[] = ['cardNumber', 'cardHolder', 'expiry', 'cvv', 'postcode', 'expiryPlaceholder']

/** Texts that may be the same as in English: words of both languages, and signs. */
const shared: ReadonlySet<WidgetText> = new Set(['iban', 'expiryPlaceholder', 'postcode'])

/** Texts of one line, and the number of characters, without placeholders, that fit on a phone of 320 px. */
const lines: readonly (readonly [charsMax: number, keys: readonly WidgetText[]])[] = [
  [20, ['expiry', 'cvv']], // side by side
  [32, ['cardNumber', 'cardHolder', 'brand', 'authenticationTitle', 'savedDetails']],
  [32, ['accountHolder', 'iban']],
  [32, ['billingAddress', 'street', 'houseNumber', 'city', 'state', 'postcode', 'country', 'givenName', 'surname']],
  [28, ['pay', 'payWithoutAmount', 'store', 'storeAccount', 'continueTo', 'otherMethod']],
  [28, ['continueButton']],
]

/** The scripts of the languages that are not written in Latin letters; `latinWords` may occur in them. */
const ownLetters: Readonly<Partial<Record<LanguageCode, RegExp>>> = {
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  bg: /\p{Script=Cyrillic}/u,
  ru: /\p{Script=Cyrillic}/u,
  cn: /\p{Script=Han}/u,
  gr: /\p{Script=Greek}/u,
  ar: /\p{Script=Arabic}/u,
  ko: /\p{Script=Hangul}/u,
}
const latinWords: ReadonlySet<string> = new Set(['BIC', 'Email', 'IBAN', 'JavaScript', 'MM', 'SEPA', 'YY'])
const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

test('every language of the widget has texts, in the order of the languages', () =>
  expect(Object.keys(widgetTexts)).toEqual(codes))

test('French has a no-break space before a colon', () => {
  const bare = widgetTextKeys.filter((key) => /[^\u00A0]:/.test(widgetTexts.fr[key]))
  expect(bare).toEqual([])
})

describe.each(codes)('%s', (code) => {
  const texts = widgetTexts[code]
  const textsThat = (isWrong: (text: string, key: WidgetText) => boolean) =>
    widgetTextKeys.filter((key) => isWrong(texts[key], key)).map((key) => `${key}: ${texts[key]}`)

  test('has every key, in the order of widgetTextKeys', () => expect(Object.keys(texts)).toEqual(widgetTextKeys))

  test('has the usual names of fields', () => expect(termKeys.map((key) => texts[key]).join(', ')).toBe(terms[code]))

  test('has no empty text and no superfluous space', () =>
    expect(textsThat((text) => text === '' || text !== text.trim() || text.includes('  '))).toEqual([]))

  test('has the placeholders of the English text', () => {
    const names = (text: string) => (text.match(/\{\w+\}|[{}]/g) ?? []).toSorted().join('')
    expect(textsThat((text, key) => names(text) !== names(widgetTexts.en[key]))).toEqual([])
  })

  test('has the final punctuation of the English texts: full stops of sentences, ellipses of ongoing actions', () => {
    const end = (text: string) => /[.…]$/.exec(text.replace(/。$/, '.'))?.[0]
    expect(textsThat((text, key) => end(text) !== end(widgetTexts.en[key]))).toEqual([])
  })

  test('has typographic apostrophes and ellipses', () =>
    expect(textsThat((text) => /['"`]|\.\./.test(text))).toEqual([]))

  test('has one-line texts that fit on a phone of 320 px', () => {
    const chars = (text: string) => Array.from(text.replaceAll(/\{\w+\}/g, '')).length
    const long = lines.flatMap(([charsMax, keys]) => keys.filter((key) => chars(texts[key]) > charsMax))
    expect(long.map((key) => texts[key])).toEqual([])
  })

  test('is translated', () => {
    const isEnglish = (text: string, key: WidgetText) => text === widgetTexts.en[key] && !shared.has(key)
    expect(code === 'en' ? [] : textsThat(isEnglish)).toEqual([])
  })

  test('is written in its own script, and no word mixes Latin, Cyrillic and Greek letters', () => {
    const words = widgetTextKeys.flatMap((key) => texts[key].replaceAll(/\{\w+\}/g, ' ').match(/[\p{L}\p{M}]+/gu) ?? [])
    const letters = ownLetters[code] ?? /\p{Script=Latin}/u
    expect(words.filter((word) => !letters.test(word) && !latinWords.has(word))).toEqual([])
    expect(words.filter((word) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1)).toEqual([])
  })
})
