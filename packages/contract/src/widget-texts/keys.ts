/**
 * The texts of the widget and of the gateway's own pages, by the part that shows them. Placeholders in braces are
 * replaced when the text is shown: `{brand}`, `{brands}` and `{merchant}` are names, `{amount}` is formatted
 * for the language, `{date}` is an expiry date such as 05/34, `{last4}` are the last characters of an account number.
 */
export const widgetTextKeys = [
  // Buttons, and the progress after them
  'pay',
  'payWithoutAmount',
  'store',
  'storeAccount',
  'processing',
  'loading',
  // Card
  'cardNumber',
  'cardHolder',
  'expiry',
  'expiryPlaceholder',
  'cvv',
  'cvvHint',
  'cvvHintAmex',
  'brand',
  'cardsAccepted',
  // Bank account
  'accountHolder',
  'iban',
  'mandate',
  'mandateWithoutName',
  'creditor',
  'creditorId',
  'mandateReference',
  // Other ways to pay, and stored details
  'continueTo',
  'savedDetails',
  'savedCard',
  'validUntil',
  'otherMethod',
  // Address
  'billingAddress',
  'street',
  'houseNumber',
  'city',
  'state',
  'postcode',
  'country',
  'givenName',
  'surname',
  // Errors beside a field
  'errorCardNumber',
  'errorCardNumberMissing',
  'errorExpiry',
  'errorExpired',
  'errorCvv',
  'errorHolder',
  'errorBrand',
  'errorIban',
  'errorAccountHolder',
  'errorRequired',
  'declinedNumber',
  'declinedExpiry',
  'declinedCvv',
  // Messages about the whole form
  'declined',
  'declinedFunds',
  'notAuthenticated',
  'cancelled',
  'notStored',
  'tryAgain',
  'unknownState',
  'stillUnknown',
  'offline',
  'notLoaded',
  'noMethod',
  'expired',
  'alreadyDone',
  'underWay',
  'waitOrChange',
  'blocked',
  // 3-D Secure, redirects, and pages of the gateway
  'authenticating',
  'authenticationTitle',
  'challengeHelp',
  'redirecting',
  'returning',
  'noScript',
  // Several places
  'continueButton',
  'tryAgainButton',
  'testMode',
] as const

/** Key of a text, such as `cardNumber`. */
export type WidgetText = (typeof widgetTextKeys)[number]

/** All texts of one language: a missing text does not compile. */
export type WidgetTexts = Readonly<Record<WidgetText, string>>
