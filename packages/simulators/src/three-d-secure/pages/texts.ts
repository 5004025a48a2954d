import { choosePageLanguage, type PageLanguage } from '../../http/page-language.ts'

/** Texts of the pages of the ACS in one language. */
export interface Texts {
  readonly language: PageLanguage
  readonly bank: string
  readonly test: string
  readonly title: string
  readonly explain: string
  readonly merchant: string
  readonly amount: string
  readonly card: string
  readonly password: string
  readonly wrong: string
  readonly confirm: string
  readonly cancel: string
  readonly codes: string
  readonly code: string
  readonly outcome: string
  readonly forwardTitle: string
  readonly forward: string
  readonly problemTitle: string
  readonly problem: string
  /** The text of `cardholderInfo`, at most 128 characters. */
  readonly decoupled: string
}

const en: Texts = {
  language: 'en',
  bank: 'Simulated bank',
  test: 'Test',
  title: 'Confirm your payment',
  explain: 'Enter the one-time password that we sent to your phone.',
  merchant: 'Merchant',
  amount: 'Amount',
  card: 'Card',
  password: 'One-time password',
  wrong: 'That password is wrong. Please try again.',
  confirm: 'Confirm',
  cancel: 'Cancel',
  codes: 'Passwords for tests',
  code: 'Password',
  outcome: 'Status, reason',
  forwardTitle: 'One moment, please',
  forward: 'Continue',
  problemTitle: 'This page cannot be shown',
  problem: 'The request is unknown to your bank, or was used already. Please go back to the shop and try again.',
  decoupled: 'Your bank is asking you to confirm this payment in its app.',
}

const de: Texts = {
  language: 'de',
  bank: 'Simulierte Bank',
  test: 'Test',
  title: 'Zahlung bestätigen',
  explain: 'Geben Sie das Einmalpasswort ein, das wir an Ihr Telefon gesendet haben.',
  merchant: 'Händler',
  amount: 'Betrag',
  card: 'Karte',
  password: 'Einmalpasswort',
  wrong: 'Dieses Passwort ist falsch. Bitte versuchen Sie es erneut.',
  confirm: 'Bestätigen',
  cancel: 'Abbrechen',
  codes: 'Passwörter zum Testen',
  code: 'Passwort',
  outcome: 'Status, Grund',
  forwardTitle: 'Einen Moment bitte',
  forward: 'Weiter',
  problemTitle: 'Diese Seite kann nicht angezeigt werden',
  problem: 'Ihre Bank kennt diese Anfrage nicht, oder sie wurde schon verwendet. Bitte kehren Sie zum Shop zurück.',
  decoupled: 'Ihre Bank bittet Sie, diese Zahlung in ihrer App zu bestätigen.',
}

const ar: Texts = {
  language: 'ar',
  bank: 'بنك تجريبي',
  test: 'اختبار',
  title: 'تأكيد الدفع',
  explain: 'أدخل كلمة المرور لمرة واحدة التي أرسلناها إلى هاتفك.',
  merchant: 'التاجر',
  amount: 'المبلغ',
  card: 'البطاقة',
  password: 'كلمة المرور لمرة واحدة',
  wrong: 'كلمة المرور غير صحيحة. يرجى المحاولة مرة أخرى.',
  confirm: 'تأكيد',
  cancel: 'إلغاء',
  codes: 'كلمات مرور للاختبار',
  code: 'كلمة المرور',
  outcome: 'الحالة والسبب',
  forwardTitle: 'لحظة من فضلك',
  forward: 'متابعة',
  problemTitle: 'لا يمكن عرض هذه الصفحة',
  problem: 'هذا الطلب غير معروف لدى البنك أو سبق استخدامه. يرجى العودة إلى المتجر والمحاولة مرة أخرى.',
  decoupled: 'يطلب منك البنك تأكيد هذه الدفعة في تطبيقه.',
}

const byLanguage: Readonly<Record<PageLanguage, Texts>> = { en, de, ar }

/**
 * The texts in the language of a shopper.
 *
 * @param language `browserLanguage` of the transaction; undefined if it is unknown, as for apps
 * @param accepted the header Accept-Language
 */
export const textsFor = (language: string | undefined, accepted?: string): Texts =>
  byLanguage[choosePageLanguage([language], accepted)]
