import {
  authenticationPagesPath,
  type BrandCode,
  brands,
  declineReasonOf,
  isBrand,
  isResultCode,
  type LanguageCode,
  languages,
  type WidgetCheckout,
  type WidgetRegistration,
  widgetTexts,
} from '@tollgate/contract'
import {
  checkoutState,
  type CheckoutState,
  methodGroupOf,
  type MethodOperation,
  methodOperationOf,
  methodRefusal,
} from '@tollgate/domain'
import type { TransactionRow, SessionRow } from '@tollgate/storage'
import { isRedirected } from '../accounts/redirected.ts'
import { hasProvider } from '../acquirer/connector-of.ts'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import type { PreparedParameters } from '../parameters/prepared-parameters.ts'
import { redirectOf } from '../records/outcome.ts'
import { factsOf } from '../records/payment-record.ts'
import { withDecimals } from '../records/transaction-view.ts'
import { cancelSession, isCancellable } from '../redirects/cancel-session.ts'
import { progressOf } from '../records/session-record.ts'
import { readOfferedRegistrations } from '../parameters/offered-registrations.ts'
import { readCheckout, type StoredCheckout } from './checkout-record.ts'

const states: Readonly<Record<CheckoutState, WidgetCheckout['state']>> = {
  OPEN: 'open',
  IN_PROGRESS: 'pending',
  DONE: 'done',
  EXHAUSTED: 'gone',
  EXPIRED: 'gone',
}

/** The data for the widget: only data for the shopper, because the id of the checkout is the only credential. */
export async function widgetView(context: Context, id: string, language: LanguageCode): Promise<WidgetCheckout> {
  const { environment, clock, directory } = context
  const stored = await readCheckout(context, id)
  const { tag, direction } = languages[language]
  const channels = stored ? directory.channelsFor(ownerOf(stored), stored.row.entity_id) : []
  const { text: amount, currency } = stored?.prepared.money ?? {}
  const state = stored ? states[checkoutState(stored, clock.now())] : 'gone'
  const payment = stored && (await lastTransaction(context, stored))
  const session = state === 'pending' ? await sessionOf(context, payment) : undefined
  return {
    state,
    redirect: session && payment && nextRedirect(context, session, payment),
    cancellable: session !== undefined && payment !== undefined && isCancellable(payment),
    declined: payment && state === 'open' ? declineReasonOf(narrow(isResultCode, payment.result_code)) : undefined,
    purpose: stored?.isRegistration ? 'registration' : 'payment',
    amount: amount === undefined ? undefined : withDecimals(amount),
    currency,
    environment,
    brands: brandsOf(context, channels, stored?.prepared),
    mandate: mandateOf(channels, stored),
    registrations: stored ? await registrationsOf(context, stored) : [],
    language,
    tag,
    direction,
    texts: widgetTexts[language],
  }
}

/**
 * Cancels the pending payment of a checkout, if it can still be cancelled, so that the shopper can choose another
 * payment method.
 */
export async function cancelPayment(context: Context, id: string): Promise<void> {
  const stored = await readCheckout(context, id)
  const session = stored && (await sessionOf(context, await lastTransaction(context, stored)))
  if (session) await cancelSession(context, session)
}

async function lastTransaction({ storage }: Context, { row }: StoredCheckout): Promise<TransactionRow | undefined> {
  const [transaction] = row.transaction_id === null ? [] : await storage.transactions([row.transaction_id])
  return transaction
}

/** The redirect or 3-D Secure session of a payment, if it has one. */
async function sessionOf({ storage }: Context, payment: TransactionRow | undefined): Promise<SessionRow | undefined> {
  const { sessionId } = payment ? factsOf(payment) : {}
  return sessionId === undefined ? undefined : storage.session(sessionId)
}

/** The redirect of a pending payment, in case the answer to the submit was lost. A challenge is never repeated. */
function nextRedirect({ pages }: Context, session: SessionRow, payment: TransactionRow): WidgetCheckout['redirect'] {
  const redirect = progressOf(session).authenticating?.challengeSent ? undefined : redirectOf(payment.outcome)
  if (!redirect) return undefined
  const { url, method, parameters } = redirect
  return { url, method, parameters, inFrame: url.startsWith(`${pages.url}${authenticationPagesPath}`) }
}

const ownerOf = ({ row }: StoredCheckout) => ({ tokenId: '', entityId: row.entity_id, rights: [] })

/**
 * The brands that at least one of the channels accepts and that support the operations of the checkout. Redirect
 * brands need a route to their provider.
 */
function brandsOf(
  context: Context,
  channels: readonly Channel[],
  prepared: PreparedParameters | undefined,
): WidgetCheckout['brands'] {
  const operationsOf = requiredOperations(prepared)
  const { currency, amount } = prepared?.money ?? {}
  const amountMinor = amount?.kind === 'amount' ? amount.amountMinor : undefined
  const isCapable = (code: string): boolean =>
    isBrand(code) && operationsOf(code).every((operation) => !methodRefusal(groupOf(code), operation))
  const isServedBy = (channel: Channel, code: string, flow: 'sync' | 'async'): boolean =>
    (channel.settings.brands?.has(code) ?? true) &&
    isBrand(code) &&
    (flow === 'sync' || hasProvider(context, channel, { brand: code, currency, amountMinor }))
  const accepted = Object.entries(brands).filter(
    ([code, { flow }]) => channels.some((channel) => isServedBy(channel, code, flow)) && isCapable(code),
  )
  return Object.fromEntries(accepted.map(([code, { kind, flow, name }]) => [code, { kind, flow, name }]))
}

const groupOf = (brand: BrandCode) => methodGroupOf({ brand, redirected: isRedirected({ brand }) })

/** The operations that a brand must support to be offered: payment, registration, or both. */
const requiredOperations =
  (prepared: PreparedParameters | undefined) =>
  (brand: BrandCode): readonly MethodOperation[] => {
    const type = prepared?.purpose.typesByBrand.get(brand) ?? prepared?.purpose.type
    const payment = type && methodOperationOf(type)
    if (!payment) return ['register']
    return prepared?.createRegistration ? [payment, 'registerWithPayment'] : [payment]
  }

/** The data of the direct debit mandate. With several channels, the first channel with a creditor is used. */
function mandateOf(channels: readonly Channel[], stored: StoredCheckout | undefined): WidgetCheckout['mandate'] {
  const { settings } = channels.find((channel) => channel.settings.sepaCreditor.name !== undefined) ?? channels[0] ?? {}
  return {
    creditor: settings?.sepaCreditor.name,
    creditorId: settings?.sepaCreditor.id,
    reference: stored?.prepared.mandateId,
  }
}

/** The offered registrations in the merchant's order, without erased ones. */
async function registrationsOf(
  { storage }: Context,
  { parameters }: StoredCheckout,
): Promise<readonly WidgetRegistration[]> {
  const accounts = await Promise.all(
    readOfferedRegistrations(Object.entries(parameters)).map((id) => storage.account(id)),
  )
  return accounts.flatMap((account) =>
    account?.sealed
      ? [
          {
            id: account.id,
            brand: account.brand ?? '',
            last4: account.last4 ?? '',
            holder: account.holder ?? undefined,
            expiryMonth: account.expiry_month ?? undefined,
            expiryYear: account.expiry_year ?? undefined,
          },
        ]
      : [],
  )
}
