/**
 * The texts of the widget and of the gateway's own pages, by the page that shows them. Placeholders in braces are
 * replaced when the text is shown: `{brand}`, `{brands}` and `{merchant}` are names, `{amount}` and `{date}` are
 * formatted for the language, `{last4}` are digits.
 */
export const widgetTextKeys = [
  // Buttons, and what they lead to
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
  'chooseBrand',
  'cardsAccepted',
  // Bank account
  'accountHolder',
  'iban',
  'bic',
  'bankCountry',
  'bankName',
  'email',
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
  'useThis',
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
  // Beside a field
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
  // For the form as a whole
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
  // Our own pages
  'authenticating',
  'authenticationTitle',
  'challengeHelp',
  'redirecting',
  'returning',
  'noScript',
  // Anywhere
  'continueButton',
  'tryAgainButton',
  'cancel',
  'testMode',
  'secure',
  'required',
  'error',
] as const

/** Key of a text, such as `cardNumber`. */
export type WidgetText = (typeof widgetTextKeys)[number]

/** All texts of one language: one that is missing does not compile. */
export type WidgetTexts = Readonly<Record<WidgetText, string>>
