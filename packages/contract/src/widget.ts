import type { BrandKind } from './brands.ts'
import type { DeclineReason } from './decline-reasons.ts'
import type { LanguageCode } from './languages.ts'

// Messages between widget and service. None contains a secret of the merchant, because the id of a checkout suffices to
// read them.

/** The state of a checkout for the shopper. */
export type CheckoutState =
  | 'open'
  /** Paid or registered: the shopper returns to the shop. */
  | 'done'
  /** A payment is in progress. */
  | 'pending'
  /** Expired, or unknown. */
  | 'gone'

/** A brand that the channel accepts. */
export interface WidgetBrand {
  readonly kind: BrandKind
  /** `async`: the shopper is sent to a page of the bank or wallet. */
  readonly flow: 'sync' | 'async'
  readonly name: string
}

/** The mandate of a SEPA direct debit, as far as it is known. */
export interface WidgetMandate {
  readonly creditor: string | undefined
  /** AT-02: `DE98ZZZ09999999999` */
  readonly creditorId: string | undefined
  /** `bankAccount.mandate.id`, where the merchant prepared one. */
  readonly reference: string | undefined
}

/** Stored details that the merchant offers for one click (`registrations[n].id`). */
export interface WidgetRegistration {
  readonly id: string
  readonly brand: string
  /** Last four digits or characters of the account. */
  readonly last4: string
  readonly holder: string | undefined
  /** 01 to 12, and four digits; of cards. */
  readonly expiryMonth: string | undefined
  readonly expiryYear: string | undefined
}

/** A redirect of the shopper. */
export interface WidgetRedirect {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
  /** A 3-D Secure page of the gateway, which the form may show in a frame. */
  readonly inFrame: boolean
}

/** Pages below this path of the gateway may be shown in the form: those of 3-D Secure. */
export const authenticationPages = '/pages/authentications/'

/** The message that such a page posts to its parent at its end, by `postMessage`. */
export const authenticationEnded = { kind: 'over' } as const

/** `GET /pages/checkouts/{id}?locale=`: the data of the loader. */
export interface WidgetCheckout {
  readonly state: CheckoutState
  /** Of a pending checkout: the redirect again, in case its first answer was lost. */
  readonly redirect: WidgetRedirect | undefined
  /** Of a pending checkout: `POST /pages/checkouts/{id}/cancel` ends its payment, and the checkout is open again. */
  readonly cancellable: boolean
  /** Of an open checkout: reason of the last decline. */
  readonly declined: DeclineReason | undefined
  /** `registration`: account data are stored without a payment. */
  readonly purpose: 'payment' | 'registration'
  /** Amount with two decimals, and currency (ISO 4217); undefined if there is no payment. */
  readonly amount: string | undefined
  readonly currency: string | undefined
  /** The form shows `test`. */
  readonly environment: 'test' | 'live'
  readonly brands: Readonly<Record<string, WidgetBrand>>
  readonly mandate: WidgetMandate
  readonly registrations: readonly WidgetRegistration[]
  readonly language: LanguageCode
  /** BCP 47. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
  /** By their keys, in that language. */
  readonly texts: Readonly<Record<string, string>>
}

/** The result of a submit, the only part of the answer that the loader gets. */
export interface WidgetResult {
  /**
   * `refused`: wrong values or a decline, the shopper may try again. `lost`: no answer arrived, the outcome is unknown.
   */
  readonly kind: 'done' | 'pending' | 'refused' | 'gone' | 'lost'
  readonly code: string | undefined
  readonly description: string | undefined
  /** Of a decline. */
  readonly reason: DeclineReason | undefined
  /** Names of parameters that are wrong. */
  readonly wrong: readonly string[]
  readonly redirect: WidgetRedirect | undefined
}
