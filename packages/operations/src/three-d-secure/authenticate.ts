import { InvariantError, isCardBrand, isCurrency, parametersOf, type Secret } from '@tollgate/contract'
import { type AuthenticationOutcome, purchaseOf } from '@tollgate/domain'
import type { TransactionRow, SessionRow } from '@tollgate/storage'
import {
  eciOf,
  encodeMessage,
  isChallengeWindow,
  isProtocolVersion,
  type Context as MessageContext,
  type MessageOf,
  readAuthenticatedAmount,
  readCartesBancairesResponse,
  readMessage,
  writeMessage,
} from '@tollgate/three-d-secure'
import { type Authentication, authenticationRequest } from './authentication-request.ts'
import { sessionIdOf, serverTransactionIdOf } from './server-transaction-id.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import { limits } from '../limits.ts'
import { readAuthenticationParameters } from '../parameters/authentication.ts'
import { readStoredParameters } from '../records/stored-parameters.ts'
import { unsealNumber } from '../accounts/stored-instrument.ts'
import { maskedAccountOf } from '../records/masked-account.ts'
import { isStatus } from '../records/payment-record.ts'
import { readSession } from '../records/read-session.ts'
import { type AuthenticationState, type Progress, progressOf, decoupledMs } from '../records/session-record.ts'

/** The next step of an authentication page. */
export type Step =
  | { readonly next: 'challenge'; readonly url: string; readonly creq: string }
  /** The page reloads, and shows that a challenge or a decoupled authentication is in progress. */
  | { readonly next: 'wait' }
  /** The authentication has ended or never began: the shopper returns to the shop. */
  | { readonly next: 'over' }

const OVER: Step = { next: 'over' }

/** The browser's fields, by the names of the parameters, and the completion of the 3DS Method. */
export interface Browser {
  readonly parameters: Readonly<Record<string, string>>
  readonly methodCompletion: 'Y' | 'N' | 'U'
}

/**
 * Sends the AReq, unless an earlier load of the page sent it. Only the first browser receives the CReq of a challenge,
 * because an ACS shows an error if it receives the CReq again.
 */
export async function beginAuthentication(context: Context, session: SessionRow, browser: Browser): Promise<Step> {
  const state = progressOf(session).authenticating
  if (state && (!isChallenged(state) || state.challengeSent)) return stepOf(state)
  const [row] = await context.storage.transactions([session.transaction_id])
  if (!row || narrow(isStatus, row.status) !== 'PENDING') return OVER
  const response = state ?? (await authenticationRequestOfSession(context, session, row, browser))
  const sent: AuthenticationState = isChallenged(response) ? { ...response, challengeSent: true } : response
  const stored = await storeState(context, session, sent)
  return isChallenged(stored) && stored === sent ? challengeOf(session, stored) : stepOf(stored)
}

/** An authentication whose challenge the shopper has not completed. */
interface ChallengedState extends AuthenticationState {
  readonly acsUrl: string
}

const isChallenged = (state: AuthenticationState): state is ChallengedState =>
  state.outcome === undefined && state.acsUrl !== undefined

/** Whether a decoupled authentication is in progress. */
const isDecoupled = ({ outcome, decoupledMinutes }: AuthenticationState): boolean =>
  outcome === undefined && decoupledMinutes !== undefined

/**
 * Stores that the shopper cancelled the authentication, unless the issuer's result came first. A later result is
 * acknowledged and changes nothing.
 */
export async function cancelAuthentication(context: Context, session: SessionRow): Promise<void> {
  let current: SessionRow | undefined = session
  for (let tries = 0; current && tries < limits.cancellationTriesMax; tries += 1) {
    const state = progressOf(current).authenticating ?? NOT_SENT
    if (state.outcome !== undefined) return
    await storeState(context, current, { ...state, outcome: 'cancelled' })
    current = await context.storage.session(session.id)
  }
}

/**
 * Stores the state of an authentication, unless the session has changed concurrently.
 *
 * @returns the stored state: after a concurrent change, the state that the change stored
 */
async function storeState(
  context: Context,
  from: SessionRow,
  state: AuthenticationState,
): Promise<AuthenticationState> {
  const { storage, clock } = context
  const progress: Progress = { ...progressOf(from), authenticating: state }
  const endsAtMs = Math.max(from.expires_at_ms, clock.now() + decoupledMs(state))
  const to = { ...from, progress: JSON.stringify(progress), expires_at_ms: endsAtMs }
  if (await commitChange(context, { compareAndSets: [{ table: 'visit', from, to }] })) return state
  const session = await storage.session(from.id)
  return (session && progressOf(session).authenticating) ?? state
}

const NOT_SENT: AuthenticationState = { version: '2.2.0', acsTransID: '', dsTransID: '' }
const NO_RESULT: AuthenticationState = { ...NOT_SENT, outcome: 'U' }

async function authenticationRequestOfSession(
  context: Context,
  session: SessionRow,
  row: TransactionRow,
  { parameters, methodCompletion }: Browser,
): Promise<AuthenticationState> {
  const { storage, directory } = context
  const channel = directory.channel(row.channel)
  const account = await storage.account(row.id)
  const number = account && unsealNumber(context, account)
  if (!channel || !number) return NO_RESULT
  try {
    const sent = parametersOf({ ...parameters, ...readStoredParameters(session.parameters) })
    const currency = narrow(isCurrency, row.currency ?? '')
    const paid = { amountMinor: row.amount_minor ?? 0, currency }
    const purchase = purchaseOf(readAuthenticationParameters(sent), paid)
    if (purchase.kind === 'refused')
      throw new InvariantError('amount of a stored authentication is refused', session.id)
    return await sendAuthenticationRequest(context, {
      sessionId: session.id,
      request: { parameters: sent, atMs: row.created_at_ms },
      channel,
      brand: row.brand ?? '',
      number,
      masked: maskedAccountOf(account, {}),
      purchase,
      device: { channel: '02', methodCompletion },
    })
  } finally {
    number.wipe()
  }
}

/** Sends the AReq and returns the state of the authentication after the response of the issuer (ARes). */
export async function sendAuthenticationRequest(
  { issuers, pages }: Context,
  authentication: Omit<Authentication, 'version' | 'url'>,
): Promise<AuthenticationState> {
  const { number, device } = authentication
  if (!issuers || !hasCardNumberLength(number)) return NO_RESULT
  const { version: newest = NO_RESULT.version } = (await issuers.ranges.find(number)) ?? {}
  // The SDK of an app determines the version.
  const version = device.channel === '01' ? (device.app.messageVersion ?? newest) : newest
  const message = authenticationRequest({ ...authentication, version, url: pages.url })
  const bytes = writeMessage('AReq', message)
  const answer = await issuers.send(bytes)
  bytes.fill(0)
  return stateAfterResponse(message, authentication, answer)
}

const hasCardNumberLength = ({ length }: Secret): boolean =>
  length >= limits.cardNumberDigitsMin && length <= limits.cardNumberDigitsMax

/** The state of an authentication after the ARes. An invalid message is treated as a missing message. */
function stateAfterResponse(
  request: MessageOf<'AReq'>,
  card: Card,
  answer: Uint8Array | undefined,
): AuthenticationState {
  const { messageVersion, threeDSServerTransID, deviceChannel, sdkTransID } = request
  const npa = request.messageCategory === '02' ? ('02' as const) : undefined
  const context = {
    messageVersion,
    deviceChannel,
    messageCategory: npa ?? '01',
    threeDSServerTransID,
    sdkTransID,
  } as const
  const parsed = answer && readMessage('ARes', answer, context)
  if (!parsed || !('ok' in parsed)) return { ...NO_RESULT, version: versionOf(messageVersion) }
  const { ok } = parsed
  const base = {
    version: versionOf(messageVersion),
    deviceChannel: deviceChannel === '02' ? undefined : deviceChannel,
    messageCategory: npa,
    acsTransID: ok.acsTransID,
    dsTransID: ok.dsTransID,
    sdkTransID,
    shownAmount: request.purchaseAmount,
    challengeMandated: ok.acsChallengeMandated,
    authenticationType: ok.authenticationType,
    cardholderInfo: ok.cardholderInfo,
    cartesBancaires: readCartesBancairesResponse(ok.messageExtension),
  }
  if (ok.transStatus === 'C') {
    const { acsURL, acsReferenceNumber, acsSignedContent } = ok
    return { ...base, acsUrl: acsURL, acsReferenceNumber, acsSignedContent }
  }
  // A decoupled authentication that was not requested must not delay the payment.
  const { threeDSRequestorDecMaxTime: decoupledMinutes } = request
  if (ok.transStatus === 'D') {
    return decoupledMinutes === undefined
      ? { ...base, outcome: 'U' }
      : { ...base, decoupledMinutes: Number(decoupledMinutes) }
  }
  return { ...base, ...outcomeOf(card, ok) }
}

type Card = Pick<TransactionRow, 'brand'>

const versionOf = (text: string): AuthenticationState['version'] => (isProtocolVersion(text) ? text : NO_RESULT.version)

interface ResultFields {
  readonly transStatus?: string | undefined
  readonly eci?: string | undefined
  readonly authenticationValue?: string | undefined
  readonly transStatusReason?: string | undefined
}

const outcomes: Readonly<Record<string, AuthenticationOutcome>> = { Y: 'Y', A: 'A', I: 'I', N: 'N', R: 'R', U: 'U' }

function outcomeOf(
  card: Card,
  response: ResultFields,
): Pick<AuthenticationState, 'outcome' | 'eci' | 'proof' | 'reason'> {
  const outcome = outcomes[response.transStatus ?? ''] ?? 'U'
  const brand = card.brand ?? ''
  const defaultEci = isCardBrand(brand) && (outcome === 'Y' || outcome === 'A') ? eciOf(brand, outcome) : undefined
  return {
    outcome,
    eci: response.eci ?? defaultEci,
    proof: response.authenticationValue,
    reason: response.transStatusReason,
  }
}

const stepOf = (state: AuthenticationState): Step =>
  isChallenged(state) || isDecoupled(state) ? { next: 'wait' } : OVER

function challengeOf(session: SessionRow, { acsUrl, acsTransID, version }: ChallengedState): Step {
  const size = readStoredParameters(session.parameters)['customer.browser.challengeWindow']?.padStart(2, '0')
  const creq = encodeMessage(
    'CReq',
    {
      messageVersion: version,
      threeDSServerTransID: serverTransactionIdOf(session.id),
      acsTransID,
      challengeWindowSize: isChallengeWindow(size) ? size : '05',
    },
    { deviceChannel: '02' },
  )
  return { next: 'challenge', url: acsUrl, creq }
}

/** The answer to an issuer's results request, and its session. */
export interface ResultsAnswer {
  readonly answer: Uint8Array
  readonly session: SessionRow | undefined
}

/**
 * "The RReq result, not the CRes, is authoritative." The result is stored before it is acknowledged; a repeated request
 * is acknowledged in the same way.
 *
 * @returns undefined if the request is invalid, belongs to no transaction of the gateway, or came while its session was
 *   changed concurrently
 */
export async function receiveResult(context: Context, message: Uint8Array): Promise<ResultsAnswer | undefined> {
  const unverified = readMessage('RReq', message)
  if (!('ok' in unverified)) return undefined
  const session = await readSession(context, sessionIdOf(unverified.ok.threeDSServerTransID))
  const state = session && progressOf(session).authenticating
  if (!session || !state) return undefined
  const { version, acsTransID, dsTransID, deviceChannel = '02', messageCategory = '01', sdkTransID } = state
  const expected: MessageContext = {
    messageVersion: version,
    deviceChannel,
    messageCategory,
    acsTransID,
    dsTransID,
    sdkTransID: version === '2.1.0' ? undefined : sdkTransID,
  }
  const parsed = readMessage('RReq', message, expected)
  if (!('ok' in parsed)) return undefined
  const [row] = await context.storage.transactions([session.transaction_id])
  if (!row) return undefined
  if (state.outcome === undefined) {
    const stored = await storeState(context, session, { ...state, ...resultOf(state, row, parsed.ok) })
    // The session was changed concurrently: the directory server repeats its request.
    if (stored.outcome === undefined) return undefined
  }
  const answer = writeMessage(
    'RRes',
    {
      messageVersion: version,
      threeDSServerTransID: parsed.ok.threeDSServerTransID,
      acsTransID,
      dsTransID,
      sdkTransID: expected.sdkTransID,
      resultsStatus: '01',
    },
    expected,
  )
  return { answer, session: await context.storage.session(session.id) }
}

/**
 * The result in an RReq. The values 03 to 05 of challengeCancel are timeouts. Only the simulator sends the
 * authenticated amount; if it differs from the amount of the AReq, the outcome is `mismatch`.
 */
function resultOf(
  state: AuthenticationState,
  row: TransactionRow,
  response: MessageOf<'RReq'>,
): Partial<AuthenticationState> {
  const authenticated = readAuthenticatedAmount(response.messageExtension)
  const expected = state.shownAmount ?? String(row.amount_minor)
  if (authenticated && authenticated.purchaseAmount !== expected) return { outcome: 'mismatch' }
  const isLate = ['03', '04', '05'].includes(response.challengeCancel ?? '')
  if (isLate && response.transStatus === 'N') return { outcome: 'timeout' }
  const { algorithm, exemption, score } = readCartesBancairesResponse(response.messageExtension)
  const { cartesBancaires: earlier } = state
  const cartesBancaires = {
    algorithm: algorithm ?? earlier?.algorithm,
    exemption: exemption ?? earlier?.exemption,
    score: score ?? earlier?.score,
  }
  return { ...outcomeOf(row, response), authenticationType: response.authenticationType, cartesBancaires }
}
