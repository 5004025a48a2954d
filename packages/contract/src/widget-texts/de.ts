import type { WidgetTexts } from './keys.ts'

/** German, formal address (Sie); a no-break space before an ellipsis that replaces words. */
export const de: WidgetTexts = {
  pay: '{amount} bezahlen',
  payWithoutAmount: 'Jetzt bezahlen',
  store: 'Karte speichern',
  storeAccount: 'Speichern',
  processing: 'Wird verarbeitet\u00A0…',
  loading: 'Zahlungsformular wird geladen\u00A0…',
  cardNumber: 'Kartennummer',
  cardHolder: 'Name auf der Karte',
  expiry: 'Gültig bis',
  expiryPlaceholder: 'MM / JJ',
  cvv: 'Sicherheitscode',
  cvvHint: '3 Ziffern auf der Rückseite der Karte',
  cvvHintAmex: '4 Ziffern auf der Vorderseite der Karte',
  brand: 'Kartentyp',
  cardsAccepted: 'Wir akzeptieren {brands}',
  accountHolder: 'Kontoinhaber',
  iban: 'IBAN',
  mandate:
    'Wenn Sie fortfahren, ermächtigen Sie {merchant}, den Betrag mittels SEPA-Lastschrift von Ihrem Konto ' +
    'einzuziehen.',
  mandateWithoutName:
    'Wenn Sie fortfahren, ermächtigen Sie den Shop, den Betrag mittels SEPA-Lastschrift von Ihrem Konto einzuziehen.',
  creditor: 'Zahlungsempfänger',
  creditorId: 'Gläubiger-Identifikationsnummer',
  mandateReference: 'Mandatsreferenz',
  continueTo: 'Weiter zu {brand}',
  savedDetails: 'Gespeicherte Zahlungsdaten',
  savedCard: '{brand} mit Endziffern {last4}',
  validUntil: 'Gültig bis {date}',
  otherMethod: 'Andere Zahlungsart',
  billingAddress: 'Rechnungsadresse',
  street: 'Straße',
  houseNumber: 'Hausnummer',
  city: 'Ort',
  state: 'Bundesland oder Region',
  postcode: 'Postleitzahl',
  country: 'Land',
  givenName: 'Vorname',
  surname: 'Nachname',
  errorCardNumber: 'Geben Sie eine gültige Kartennummer ein.',
  errorCardNumberMissing: 'Geben Sie Ihre Kartennummer ein.',
  errorExpiry: 'Geben Sie ein gültiges Ablaufdatum ein.',
  errorExpired: 'Diese Karte ist abgelaufen.',
  errorCvv: 'Geben Sie den Sicherheitscode Ihrer Karte ein.',
  errorHolder: 'Geben Sie den Namen ein, der auf der Karte steht.',
  errorBrand: 'Diese Karte wird hier nicht akzeptiert.',
  errorIban: 'Geben Sie eine gültige IBAN ein.',
  errorAccountHolder: 'Geben Sie den Namen des Kontoinhabers ein.',
  errorRequired: 'Dieses Feld ist ein Pflichtfeld.',
  declinedNumber: 'Ihre Bank kennt diese Kartennummer nicht. Bitte prüfen Sie sie.',
  declinedExpiry: 'Ihre Bank hat dieses Ablaufdatum nicht akzeptiert. Bitte prüfen Sie es.',
  declinedCvv: 'Ihre Bank hat diesen Sicherheitscode nicht akzeptiert. Bitte prüfen Sie ihn.',
  declined: 'Ihre Zahlung wurde abgelehnt. Bitte prüfen Sie Ihre Angaben oder wählen Sie eine andere Zahlungsart.',
  declinedFunds:
    'Guthaben oder Kreditrahmen reichen für diese Zahlung nicht aus. Bitte wählen Sie eine andere Zahlungsart.',
  notAuthenticated:
    'Ihre Bank konnte Ihre Identität nicht bestätigen. Bitte versuchen Sie es erneut oder wählen Sie eine andere ' +
    'Zahlungsart.',
  cancelled: 'Die Zahlung wurde abgebrochen. Bitte versuchen Sie es erneut oder wählen Sie eine andere Zahlungsart.',
  notStored: 'Ihre Angaben konnten nicht gespeichert werden. Bitte prüfen Sie sie und versuchen Sie es erneut.',
  tryAgain: 'Es ist ein Fehler aufgetreten. Es wurde nichts abgebucht. Bitte versuchen Sie es erneut.',
  unknownState:
    'Die Verbindung ist abgebrochen. Wir klären gerade, was aus Ihrer Zahlung geworden ist: Bitte bezahlen Sie ' +
    'nicht noch einmal.',
  stillUnknown:
    'Wir konnten noch nicht klären, was aus Ihrer Zahlung geworden ist. Bitte wenden Sie sich an den Shop, ' +
    'bevor Sie noch einmal bezahlen.',
  offline: 'Sie sind offline. Prüfen Sie Ihre Internetverbindung.',
  notLoaded:
    'Das Zahlungsformular ist nicht vollständig geladen. Prüfen Sie Ihre Verbindung oder versuchen Sie es noch einmal.',
  noMethod: 'Hier ist zurzeit keine Zahlung möglich. Bitte wenden Sie sich an den Shop.',
  expired: 'Diese Zahlungsseite ist abgelaufen. Bitte kehren Sie zum Shop zurück und beginnen Sie von vorn.',
  alreadyDone: 'Diese Zahlung ist abgeschlossen.',
  underWay: 'Eine Zahlung wird gerade ausgeführt.',
  waitOrChange:
    'Wenn Sie sie bei Ihrer Bank bestätigt haben, warten Sie bitte; andernfalls wählen Sie eine andere Zahlungsart.',
  blocked:
    'Das Zahlungsformular kann nicht angezeigt werden, weil die Sicherheitsrichtlinie dieser Seite es blockiert.',
  authenticating: 'Ihre Bank prüft gerade Ihre Identität.',
  authenticationTitle: 'Bestätigung bei Ihrer Bank',
  challengeHelp: 'Funktioniert die Seite Ihrer Bank nicht?',
  redirecting: 'Sie werden zu {brand} weitergeleitet\u00A0…',
  returning: 'Sie werden zum Shop zurückgeleitet\u00A0…',
  noScript: 'Bitte aktivieren Sie JavaScript, um zu bezahlen.',
  continueButton: 'Weiter',
  tryAgainButton: 'Erneut versuchen',
  testMode: 'Testmodus: Es wird kein Geld bewegt.',
}
