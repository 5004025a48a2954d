import type { PageLanguage } from '../http/page-language.ts'
import type { ChoiceName } from './choices.ts'
import type { BankState } from './transitions.ts'
import type { Theme } from './themes.ts'

/** Texts of the bank's pages in one language. */
export interface BankTexts {
  readonly testPage: string
  /** `detailLabel` is the label of `detail`: the account, the place or the due date of the payment. */
  readonly themes: Readonly<
    Record<Theme, { readonly name: string; readonly detailLabel: string; readonly detail: string }>
  >
  readonly payTo: string
  readonly amount: string
  readonly reference: string
  readonly otherOutcomes: string
  readonly otherOutcomesHint: string
  readonly minutes: string
  readonly minutesWrong: (max: string) => string
  readonly choices: Readonly<Record<ChoiceName, { readonly name: string; readonly hint: string }>>
  readonly states: Readonly<Record<BankState, { readonly name: string; readonly hint: string }>>
  /** The message for a choice that comes after another choice, or after the merchant has withdrawn the payment. */
  readonly tooLate: string
  readonly back: string
  readonly close: string
  readonly language: string
  readonly notFound: { readonly name: string; readonly hint: string }
}

const en: BankTexts = {
  testPage: 'Test page. No money moves.',
  themes: {
    bank: { name: 'Online banking', detailLabel: 'From', detail: 'Everyday account ···· 4821' },
    wallet: { name: 'Wallet', detailLabel: 'From', detail: 'Your balance' },
    voucher: { name: 'Payment slip', detailLabel: 'Where', detail: 'Any of our counters' },
    credit: { name: 'Pay later', detailLabel: 'Due', detail: 'In 30 days' },
  },
  payTo: 'Pay to',
  amount: 'Amount',
  reference: 'Reference',
  otherOutcomes: 'Other outcomes',
  otherOutcomesHint: 'For tests of a shop. Each button simulates a case that occurs with shoppers and banks.',
  minutes: 'Minutes',
  minutesWrong: (max) => `Give a whole number of minutes from 1 to ${max}.`,
  choices: {
    pay: { name: 'Pay', hint: 'You pay at once and go back to the shop.' },
    cancel: { name: 'Cancel', hint: 'You go back to the shop without paying.' },
    decline: { name: 'Decline', hint: 'The bank refuses the payment, and you go back to the shop.' },
    payTwice: {
      name: 'Pay and return twice',
      hint: 'You return, and your return address is called once more in the background.',
    },
    payAndStay: { name: 'Pay and never return', hint: 'As if you closed this tab after paying.' },
    payLater: { name: 'Pay later', hint: 'You go back at once; the money comes after some minutes.' },
    failLater: { name: 'Fail later', hint: 'You go back at once; the bank refuses after some minutes.' },
    payTooLate: {
      name: 'Pay after the time is up',
      hint: 'You stay here; the money comes after the payment has expired in the shop.',
    },
  },
  states: {
    open: { name: 'Not paid yet', hint: 'Please confirm or cancel the payment.' },
    pending: { name: 'Processing', hint: 'The payment was accepted and is being processed.' },
    held: { name: 'Reserved', hint: 'The amount is reserved for the shop, which may take it later.' },
    paid: { name: 'Paid', hint: 'The payment is complete.' },
    failed: { name: 'Declined', hint: 'The payment was refused. Nothing was taken.' },
    cancelled: { name: 'Cancelled', hint: 'The payment was cancelled. Nothing was taken.' },
    refunded: { name: 'Refunded', hint: 'All of the money was given back.' },
  },
  tooLate: 'This choice is no longer possible.',
  back: 'Back to the shop',
  close: 'You may close this tab.',
  language: 'Language',
  notFound: {
    name: 'Payment not found',
    hint: 'There is no such payment, or it is no longer stored. Go back to the shop.',
  },
}

const de: BankTexts = {
  testPage: 'Testseite. Es fließt kein Geld.',
  themes: {
    bank: { name: 'Online-Banking', detailLabel: 'Von', detail: 'Girokonto ···· 4821' },
    wallet: { name: 'Wallet', detailLabel: 'Von', detail: 'Ihr Guthaben' },
    voucher: { name: 'Zahlschein', detailLabel: 'Wo', detail: 'An jeder unserer Kassen' },
    credit: { name: 'Später bezahlen', detailLabel: 'Fällig', detail: 'In 30 Tagen' },
  },
  payTo: 'Empfänger',
  amount: 'Betrag',
  reference: 'Verwendungszweck',
  otherOutcomes: 'Andere Ergebnisse',
  otherOutcomesHint:
    'Zum Testen eines Shops. Jede Schaltfläche simuliert einen Fall, der bei Kunden und Banken vorkommt.',
  minutes: 'Minuten',
  minutesWrong: (max) => `Geben Sie eine ganze Zahl von Minuten zwischen 1 und ${max} ein.`,
  choices: {
    pay: { name: 'Bezahlen', hint: 'Sie bezahlen sofort und kehren zum Shop zurück.' },
    cancel: { name: 'Abbrechen', hint: 'Sie kehren zum Shop zurück, ohne zu bezahlen.' },
    decline: { name: 'Ablehnen', hint: 'Die Bank lehnt die Zahlung ab, und Sie kehren zum Shop zurück.' },
    payTwice: {
      name: 'Bezahlen und zweimal zurückkehren',
      hint: 'Sie kehren zurück, und die Rückkehradresse wird im Hintergrund noch einmal aufgerufen.',
    },
    payAndStay: {
      name: 'Bezahlen und nie zurückkehren',
      hint: 'Als hätten Sie diesen Tab nach dem Bezahlen geschlossen.',
    },
    payLater: { name: 'Später bezahlen', hint: 'Sie kehren sofort zurück; das Geld kommt nach einigen Minuten.' },
    failLater: { name: 'Später scheitern', hint: 'Sie kehren sofort zurück; die Bank lehnt nach einigen Minuten ab.' },
    payTooLate: {
      name: 'Bezahlen, wenn die Zeit um ist',
      hint: 'Sie bleiben hier; das Geld kommt, nachdem die Zahlung im Shop abgelaufen ist.',
    },
  },
  states: {
    open: { name: 'Noch nicht bezahlt', hint: 'Bitte bestätigen Sie die Zahlung oder brechen Sie sie ab.' },
    pending: { name: 'In Bearbeitung', hint: 'Die Zahlung wurde angenommen und ist noch nicht ausgeführt.' },
    held: { name: 'Vorgemerkt', hint: 'Der Betrag ist für den Shop vorgemerkt, der ihn später einziehen kann.' },
    paid: { name: 'Bezahlt', hint: 'Die Zahlung wurde ausgeführt.' },
    failed: { name: 'Abgelehnt', hint: 'Die Zahlung wurde abgelehnt. Es wurde nichts abgebucht.' },
    cancelled: { name: 'Abgebrochen', hint: 'Die Zahlung wurde abgebrochen. Es wurde nichts abgebucht.' },
    refunded: { name: 'Erstattet', hint: 'Der ganze Betrag wurde erstattet.' },
  },
  tooLate: 'Diese Auswahl ist nicht mehr möglich.',
  back: 'Zurück zum Shop',
  close: 'Sie können diesen Tab schließen.',
  language: 'Sprache',
  notFound: {
    name: 'Zahlung nicht gefunden',
    hint: 'Diese Zahlung gibt es nicht oder nicht mehr. Kehren Sie zum Shop zurück.',
  },
}

const ar: BankTexts = {
  testPage: 'صفحة اختبار. لا تُنقل أي أموال.',
  themes: {
    bank: { name: 'الخدمات المصرفية عبر الإنترنت', detailLabel: 'من', detail: 'الحساب الجاري ···· 4821' },
    wallet: { name: 'المحفظة', detailLabel: 'من', detail: 'رصيدك' },
    voucher: { name: 'قسيمة دفع', detailLabel: 'أين', detail: 'أي من منافذنا' },
    credit: { name: 'الدفع لاحقًا', detailLabel: 'الاستحقاق', detail: 'خلال 30 يومًا' },
  },
  payTo: 'المستفيد',
  amount: 'المبلغ',
  reference: 'المرجع',
  otherOutcomes: 'نتائج أخرى',
  otherOutcomesHint: 'لاختبار المتجر. يحاكي كل زر حالة تحدث لدى المتسوقين والبنوك.',
  minutes: 'الدقائق',
  minutesWrong: (max) => `أدخل عددًا صحيحًا من الدقائق من 1 إلى ${max}.`,
  choices: {
    pay: { name: 'ادفع', hint: 'يتم الدفع فورًا، ثم العودة إلى المتجر.' },
    cancel: { name: 'إلغاء', hint: 'العودة إلى المتجر دون دفع.' },
    decline: { name: 'رفض', hint: 'يرفض البنك الدفعة، وتعود إلى المتجر.' },
    payTwice: { name: 'الدفع والعودة مرتين', hint: 'تعود إلى المتجر، ويُستدعى عنوان العودة مرة أخرى في الخلفية.' },
    payAndStay: { name: 'الدفع دون عودة', hint: 'كأنك أغلقت هذه الصفحة بعد الدفع.' },
    payLater: { name: 'الدفع بعد حين', hint: 'تعود فورًا، ويصل المال بعد دقائق.' },
    failLater: { name: 'الإخفاق بعد حين', hint: 'تعود فورًا، ويرفض البنك بعد دقائق.' },
    payTooLate: { name: 'الدفع بعد انتهاء المهلة', hint: 'تبقى هنا، ويصل المال بعد انتهاء صلاحية الدفعة في المتجر.' },
  },
  states: {
    open: { name: 'لم يُدفع بعد', hint: 'يرجى تأكيد الدفعة أو إلغاؤها.' },
    pending: { name: 'قيد التنفيذ', hint: 'قُبلت الدفعة ولم تكتمل بعد.' },
    held: { name: 'محجوزة', hint: 'حُجز المبلغ للمتجر، وقد يأخذه لاحقًا.' },
    paid: { name: 'تم الدفع', hint: 'اكتملت الدفعة.' },
    failed: { name: 'مرفوضة', hint: 'رُفضت الدفعة. لم يُخصم شيء.' },
    cancelled: { name: 'ملغاة', hint: 'أُلغيت الدفعة. لم يُخصم شيء.' },
    refunded: { name: 'مُستردة', hint: 'أُعيد المبلغ كله.' },
  },
  tooLate: 'لم يعد هذا الاختيار ممكنًا.',
  back: 'العودة إلى المتجر',
  close: 'يمكنك إغلاق هذه الصفحة.',
  language: 'اللغة',
  notFound: { name: 'الدفعة غير موجودة', hint: 'لا توجد دفعة كهذه، أو لم تعد محفوظة. عُد إلى المتجر.' },
}

export const bankTexts: Readonly<Record<PageLanguage, BankTexts>> = { en, de, ar }
