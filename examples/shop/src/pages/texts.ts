import type { Outcome } from '../outcome.ts'
import type { Purpose } from '../store/orders.ts'
import type { ShopLanguage } from './languages.ts'

/** The texts of a page with one message. */
export interface Message {
  readonly title: string
  readonly text: string
}

const en = {
  skip: 'Skip to content',
  navigation: 'Main',
  language: 'Language',
  footer: 'The sample shop of a test environment. Nothing is sold, and no money moves.',
  store: {
    name: 'Shop',
    title: 'Good tea needs little',
    text: 'Leaves, water, a kettle and ten quiet minutes.',
    add: 'Add to cart',
  },
  cart: {
    name: 'Cart',
    empty: 'There is nothing in it yet.',
    total: 'Total',
    quantity: 'Quantity',
    change: 'Update',
    ways: 'How would you like to pay?',
    back: 'To the cart',
  },
  widget: {
    name: 'On this page.',
    text: 'You stay with us; your card number goes only to the payment service.',
    store: 'Save my card for next time',
    cards: 'Card, PayPal or iDEAL',
    debit: 'Direct debit',
    title: 'Payment',
    needsScript: 'Please allow JavaScript to pay on this page.',
  },
  redirect: {
    name: 'At your bank.',
    text: 'You go to a page of your bank or wallet, and come back.',
    brand: 'Bank or wallet',
    pay: 'Continue',
  },
  ownForm: {
    name: 'Card form of the shop',
    text: 'From server to server, for merchants who may handle card numbers.',
    open: 'Enter a card',
    warning: 'The card number passes through the shop’s server. Only merchants who comply with PCI DSS may do so.',
    pay: 'Pay',
    labels: {
      number: 'Card number',
      holder: 'Name on the card',
      month: 'Month (MM)',
      year: 'Year (YYYY)',
      cvv: 'Security code',
    },
  },
  cards: {
    name: 'My cards',
    why: 'Save a card and pay with one click. The payment service stores its number; we only know its last digits.',
    none: 'No card is saved yet.',
    add: 'Add a card',
    forget: 'Remove',
  },
  subscription: {
    name: 'Tea every month',
    text: 'A tin of something new on the first of every month. The first one leaves today; stop whenever you like.',
    needsCard: 'Add a card first. It is charged every month.',
    card: 'Pay with',
    start: 'Start and pay the first month',
    running: 'Running subscriptions',
    cancel: 'Stop',
  },
  results: {
    cart: {
      approved: { title: 'Thank you!', text: 'We have received your payment, and your parcel is being packed.' },
      review: { title: 'Thank you!', text: 'We have received your payment, and we are checking your order.' },
      pending: { title: 'Not confirmed yet', text: 'We are waiting for the answer. Please do not pay again.' },
      declined: {
        title: 'Payment declined',
        text: 'The payment was declined. Nothing was taken; your cart is still here.',
      },
      cancelled: {
        title: 'Payment cancelled',
        text: 'You cancelled the payment. Nothing was taken; your cart is still here.',
      },
    },
    card: {
      approved: { title: 'Card saved', text: 'Next time one click is enough.' },
      review: { title: 'Card saved', text: 'Next time one click is enough.' },
      pending: { title: 'Not confirmed yet', text: 'We are waiting for the answer.' },
      declined: { title: 'Card not saved', text: 'The card could not be saved.' },
      cancelled: { title: 'Cancelled', text: 'You cancelled. No card was saved.' },
    },
    subscription: {
      approved: { title: 'Welcome!', text: 'The first month is paid, and the first tin is on its way.' },
      review: { title: 'Welcome!', text: 'We have received your payment, and we are checking it.' },
      pending: { title: 'Not confirmed yet', text: 'We are waiting for the answer. Please do not subscribe again.' },
      declined: { title: 'Payment declined', text: 'The first month was not paid. Nothing was taken.' },
      cancelled: {
        title: 'Payment cancelled',
        text: 'You cancelled the payment. Nothing was taken, and no subscription was started.',
      },
    },
  },
  unpaid: { title: 'Not paid yet', text: 'Nothing has been paid so far.' },
  order: 'Order',
  code: 'Code of the payment service',
  checkAgain: 'Check again',
  backToPayment: 'Back to the payment',
  tryAgain: 'Try again',
  proceed: 'Continue',
  redirecting: { title: 'One moment', text: 'You are being sent to your bank.' },
  refused: { title: 'Request refused', text: 'The payment service did not accept the request. Nothing was taken.' },
  unreachable: {
    title: 'No answer',
    text: 'The payment service cannot be reached. If you have paid, please do not pay again: we will find out.',
  },
  noOrder: { title: 'Order not found', text: 'This order does not exist, or is no longer stored.' },
  otherBrowser: { title: 'Thank you', text: 'This order was made in another browser. You can find it there.' },
  notFound: { title: 'Page not found', text: 'There is no such page.' },
  test: {
    name: 'Test data',
    approved: 'Card, approved',
    challenge: 'Card with 3-D Secure, code 1234',
    declined: 'Card, declined',
    debit: 'Bank account',
    hint: 'Use any future expiry date and any security code. Never use a real card.',
  },
}

/** Texts of the pages in one language. */
export interface ShopTexts extends Omit<typeof en, 'results'> {
  readonly results: Readonly<Record<Purpose, Readonly<Record<Outcome, Message>>>>
}

const de: ShopTexts = {
  skip: 'Zum Inhalt',
  navigation: 'Hauptmenü',
  language: 'Sprache',
  footer: 'Der Beispielshop einer Testumgebung. Hier wird nichts verkauft, und es fließt kein Geld.',
  store: {
    name: 'Shop',
    title: 'Guter Tee braucht wenig',
    text: 'Blätter, Wasser, einen Kessel und zehn ruhige Minuten.',
    add: 'In den Warenkorb',
  },
  cart: {
    name: 'Warenkorb',
    empty: 'Hier ist noch nichts.',
    total: 'Summe',
    quantity: 'Menge',
    change: 'Ändern',
    ways: 'Wie möchten Sie bezahlen?',
    back: 'Zum Warenkorb',
  },
  widget: {
    name: 'Auf dieser Seite.',
    text: 'Sie bleiben bei uns; Ihre Kartennummer geht nur an den Zahlungsdienst.',
    store: 'Meine Karte für das nächste Mal merken',
    cards: 'Karte, PayPal oder iDEAL',
    debit: 'Lastschrift',
    title: 'Bezahlung',
    needsScript: 'Bitte erlauben Sie JavaScript, um auf dieser Seite zu bezahlen.',
  },
  redirect: {
    name: 'Bei Ihrer Bank.',
    text: 'Sie gehen zu einer Seite Ihrer Bank oder Ihres Wallets und kommen zurück.',
    brand: 'Bank oder Wallet',
    pay: 'Weiter',
  },
  ownForm: {
    name: 'Kartenformular des Shops',
    text: 'Von Server zu Server, für Händler, die Kartennummern verarbeiten dürfen.',
    open: 'Karte eingeben',
    warning: 'Die Kartennummer geht über den Server des Shops. Das dürfen nur Händler, die PCI DSS erfüllen.',
    pay: 'Bezahlen',
    labels: {
      number: 'Kartennummer',
      holder: 'Name auf der Karte',
      month: 'Monat (MM)',
      year: 'Jahr (JJJJ)',
      cvv: 'Prüfziffer',
    },
  },
  cards: {
    name: 'Meine Karten',
    why: 'Mit einem Klick bezahlen: Der Zahlungsdienst speichert die Kartennummer; wir kennen nur die letzten Ziffern.',
    none: 'Noch ist keine Karte gespeichert.',
    add: 'Karte hinzufügen',
    forget: 'Entfernen',
  },
  subscription: {
    name: 'Tee im Abo',
    text: 'Jeden Monat am Ersten eine Dose mit etwas Neuem. Die erste geht heute raus; jederzeit kündbar.',
    needsCard: 'Fügen Sie zuerst eine Karte hinzu. Sie wird jeden Monat belastet.',
    card: 'Bezahlen mit',
    start: 'Beginnen und den ersten Monat bezahlen',
    running: 'Laufende Abos',
    cancel: 'Beenden',
  },
  results: {
    cart: {
      approved: { title: 'Vielen Dank!', text: 'Ihre Zahlung ist angekommen, und Ihr Paket wird gepackt.' },
      review: { title: 'Vielen Dank!', text: 'Ihre Zahlung ist da; wir sehen uns Ihre Bestellung noch kurz an.' },
      pending: {
        title: 'Noch nicht bestätigt',
        text: 'Wir warten auf die Antwort. Bitte bezahlen Sie nicht noch einmal.',
      },
      declined: {
        title: 'Zahlung abgelehnt',
        text: 'Die Zahlung wurde abgelehnt. Es wurde nichts abgebucht; Ihr Warenkorb ist noch da.',
      },
      cancelled: {
        title: 'Zahlung abgebrochen',
        text: 'Sie haben die Zahlung abgebrochen. Es wurde nichts abgebucht; Ihr Warenkorb ist noch da.',
      },
    },
    card: {
      approved: { title: 'Karte gespeichert', text: 'Beim nächsten Mal genügt ein Klick.' },
      review: { title: 'Karte gespeichert', text: 'Beim nächsten Mal genügt ein Klick.' },
      pending: { title: 'Noch nicht bestätigt', text: 'Wir warten auf die Antwort.' },
      declined: { title: 'Karte nicht gespeichert', text: 'Die Karte konnte nicht gespeichert werden.' },
      cancelled: { title: 'Abgebrochen', text: 'Sie haben abgebrochen. Es wurde keine Karte gespeichert.' },
    },
    subscription: {
      approved: { title: 'Willkommen!', text: 'Der erste Monat ist bezahlt, und die erste Dose ist unterwegs.' },
      review: { title: 'Willkommen!', text: 'Ihre Zahlung ist da; wir sehen sie uns noch kurz an.' },
      pending: {
        title: 'Noch nicht bestätigt',
        text: 'Wir warten auf die Antwort. Bitte beginnen Sie kein zweites Abo.',
      },
      declined: {
        title: 'Zahlung abgelehnt',
        text: 'Der erste Monat wurde nicht bezahlt. Es wurde nichts abgebucht.',
      },
      cancelled: {
        title: 'Zahlung abgebrochen',
        text: 'Sie haben die Zahlung abgebrochen. Es wurde nichts abgebucht und kein Abo begonnen.',
      },
    },
  },
  unpaid: { title: 'Noch nicht bezahlt', text: 'Bisher wurde nichts bezahlt.' },
  order: 'Bestellung',
  code: 'Code des Zahlungsdienstes',
  checkAgain: 'Noch einmal nachsehen',
  backToPayment: 'Zurück zur Bezahlung',
  tryAgain: 'Noch einmal versuchen',
  proceed: 'Weiter',
  redirecting: { title: 'Einen Moment', text: 'Sie werden zu Ihrer Bank weitergeleitet.' },
  refused: {
    title: 'Anfrage abgelehnt',
    text: 'Der Zahlungsdienst hat die Anfrage nicht angenommen. Es wurde nichts abgebucht.',
  },
  unreachable: {
    title: 'Keine Antwort',
    text: 'Der Zahlungsdienst ist nicht zu erreichen. Haben Sie bezahlt, dann bitte nicht noch einmal: Wir klären das.',
  },
  noOrder: {
    title: 'Bestellung nicht gefunden',
    text: 'Diese Bestellung gibt es nicht, oder sie ist nicht mehr gespeichert.',
  },
  otherBrowser: {
    title: 'Vielen Dank',
    text: 'Diese Bestellung wurde in einem anderen Browser aufgegeben; dort finden Sie sie.',
  },
  notFound: { title: 'Seite nicht gefunden', text: 'Diese Seite gibt es nicht.' },
  test: {
    name: 'Testdaten',
    approved: 'Karte, genehmigt',
    challenge: 'Karte mit 3-D Secure, Code 1234',
    declined: 'Karte, abgelehnt',
    debit: 'Bankkonto',
    hint: 'Jedes künftige Ablaufdatum und jede Prüfziffer sind möglich. Verwenden Sie nie eine echte Karte.',
  },
}

const ar: ShopTexts = {
  skip: 'الانتقال إلى المحتوى',
  navigation: 'القائمة الرئيسية',
  language: 'اللغة',
  footer: 'متجر نموذجي في بيئة اختبار. لا يُباع هنا شيء ولا تُحوَّل أي أموال.',
  store: {
    name: 'المتجر',
    title: 'الشاي الجيد لا يحتاج إلى الكثير',
    text: 'أوراق شاي وماء وغلاية وعشر دقائق من الهدوء.',
    add: 'إضافة إلى السلة',
  },
  cart: {
    name: 'السلة',
    empty: 'السلة فارغة حتى الآن.',
    total: 'المجموع',
    quantity: 'الكمية',
    change: 'تحديث',
    ways: 'ما طريقة الدفع التي تفضلها؟',
    back: 'إلى السلة',
  },
  widget: {
    name: 'في هذه الصفحة.',
    text: 'تبقى في موقعنا، ولا يصل رقم بطاقتك إلا إلى خدمة الدفع.',
    store: 'حفظ بطاقتي للمرة القادمة',
    cards: 'بطاقة أو PayPal أو iDEAL',
    debit: 'خصم مباشر',
    title: 'الدفع',
    needsScript: 'يُرجى السماح بتشغيل JavaScript للدفع في هذه الصفحة.',
  },
  redirect: {
    name: 'لدى مصرفك.',
    text: 'تنتقل إلى صفحة مصرفك أو محفظتك ثم تعود.',
    brand: 'المصرف أو المحفظة',
    pay: 'متابعة',
  },
  ownForm: {
    name: 'نموذج البطاقة الخاص بالمتجر',
    text: 'من خادم إلى خادم، للتجار المصرح لهم بمعالجة أرقام البطاقات.',
    open: 'إدخال بطاقة',
    warning: 'يمر رقم البطاقة عبر خادم المتجر. لا يُسمح بذلك إلا للتجار الملتزمين بمعيار PCI DSS.',
    pay: 'دفع',
    labels: {
      number: 'رقم البطاقة',
      holder: 'الاسم على البطاقة',
      month: 'الشهر (MM)',
      year: 'السنة (YYYY)',
      cvv: 'رمز الأمان',
    },
  },
  cards: {
    name: 'بطاقاتي',
    why: 'احفظ بطاقتك وادفع بنقرة واحدة. تحتفظ خدمة الدفع برقمها، ولا نعرف منه إلا الأرقام الأخيرة.',
    none: 'لا توجد بطاقة محفوظة بعد.',
    add: 'إضافة بطاقة',
    forget: 'إزالة',
  },
  subscription: {
    name: 'شاي كل شهر',
    text: 'علبة شاي من نوع جديد في أول كل شهر. تُرسل العلبة الأولى اليوم، ويمكنك إيقاف الاشتراك متى شئت.',
    needsCard: 'يُرجى إضافة بطاقة أولًا. سيُخصم المبلغ منها كل شهر.',
    card: 'الدفع بواسطة',
    start: 'بدء الاشتراك ودفع الشهر الأول',
    running: 'الاشتراكات الجارية',
    cancel: 'إيقاف',
  },
  results: {
    cart: {
      approved: { title: 'شكرًا لك!', text: 'تمت عملية الدفع، ونجهّز طردك الآن.' },
      review: { title: 'شكرًا لك!', text: 'وصلنا المبلغ، ونُجري مراجعة سريعة لطلبك.' },
      pending: { title: 'لم يتم التأكيد بعد', text: 'نحن في انتظار الرد. يُرجى عدم الدفع مرة أخرى.' },
      declined: { title: 'لم تنجح العملية', text: 'رُفضت عملية الدفع. لم يُخصم أي مبلغ، وما زالت سلتك محفوظة هنا.' },
      cancelled: {
        title: 'أُلغيت عملية الدفع',
        text: 'لقد ألغيت عملية الدفع. لم يُخصم أي مبلغ، وما زالت سلتك محفوظة هنا.',
      },
    },
    card: {
      approved: { title: 'حُفظت البطاقة', text: 'في المرة القادمة تكفي نقرة واحدة.' },
      review: { title: 'حُفظت البطاقة', text: 'في المرة القادمة تكفي نقرة واحدة.' },
      pending: { title: 'لم يتم التأكيد بعد', text: 'نحن في انتظار الرد.' },
      declined: { title: 'لم تنجح العملية', text: 'تعذر حفظ البطاقة.' },
      cancelled: { title: 'تم الإلغاء', text: 'لقد ألغيت العملية. لم تُحفظ أي بطاقة.' },
    },
    subscription: {
      approved: { title: 'أهلًا بك!', text: 'تم دفع اشتراك الشهر الأول، والعلبة الأولى في طريقها إليك.' },
      review: { title: 'أهلًا بك!', text: 'وصلنا المبلغ، ونُجري مراجعة سريعة لعملية الدفع.' },
      pending: { title: 'لم يتم التأكيد بعد', text: 'نحن في انتظار الرد. يُرجى عدم الاشتراك مرة أخرى.' },
      declined: { title: 'لم تنجح العملية', text: 'رُفض دفع اشتراك الشهر الأول. لم يُخصم أي مبلغ.' },
      cancelled: { title: 'أُلغيت عملية الدفع', text: 'لقد ألغيت عملية الدفع. لم يُخصم أي مبلغ ولم يبدأ أي اشتراك.' },
    },
  },
  unpaid: { title: 'لم يتم الدفع بعد', text: 'لم يُدفع أي مبلغ حتى الآن.' },
  order: 'الطلب',
  code: 'رمز خدمة الدفع',
  checkAgain: 'التحقق مرة أخرى',
  backToPayment: 'العودة إلى الدفع',
  tryAgain: 'إعادة المحاولة',
  proceed: 'متابعة',
  redirecting: { title: 'لحظة من فضلك', text: 'جارٍ تحويلك إلى مصرفك.' },
  refused: { title: 'لم تنجح العملية', text: 'لم تقبل خدمة الدفع الطلب. لم يُخصم أي مبلغ.' },
  unreachable: {
    title: 'لا يوجد رد',
    text: 'يتعذر الوصول إلى خدمة الدفع. إذا كنت قد دفعت، فيُرجى عدم الدفع مرة أخرى: سنتحقق من الأمر.',
  },
  noOrder: { title: 'الطلب غير موجود', text: 'هذا الطلب غير موجود، أو لم يعد محفوظًا.' },
  otherBrowser: { title: 'شكرًا لك', text: 'تم تقديم هذا الطلب من متصفح آخر، وستجده هناك.' },
  notFound: { title: 'الصفحة غير موجودة', text: 'لا توجد صفحة بهذا العنوان.' },
  test: {
    name: 'بيانات الاختبار',
    approved: 'بطاقة مقبولة',
    challenge: 'بطاقة مع 3-D Secure، الرمز 1234',
    declined: 'بطاقة مرفوضة',
    debit: 'حساب مصرفي',
    hint: 'أي تاريخ انتهاء في المستقبل، وأي رمز أمان. لا تستخدم بطاقة حقيقية أبدًا.',
  },
}

/** The texts of each language. */
export const shopTexts: Readonly<Record<ShopLanguage, ShopTexts>> = { en, de, ar }
