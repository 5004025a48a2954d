import { randomBytes } from 'node:crypto'
import {
  beginAuthentication,
  type Browser,
  cancelSession,
  errorFields,
  receiveResult,
  isAuthentication,
  mayResultChange,
  pollSession,
  methodDataOf,
  methodUrlOf,
  progressOf,
  readStoredParameters,
  readSession,
  sessionIdIn,
} from '@tollgate/operations'
import { escapeHtml, languages, findParameter, type LanguageCode, widgetTexts } from '@tollgate/contract'
import type { SessionRow } from '@tollgate/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Gateway } from '../../gateway.ts'
import { HTML, notFound } from './plain-page.ts'
import { languageOf } from './language.ts'
import { withReporting } from './page-headers.ts'
import { shopUrlOf } from './return-page.ts'
import { assetUrlOf } from './widget-files.ts'

type SessionRequest = FastifyRequest<{ Params: { id: string }; Body: Buffer | undefined }>

/** The first step of the page's script, with its data. */
type PageData =
  /** The page runs the issuer's 3DS method, if `method` is not empty, and then requests the next step. */
  | { readonly step: 'begin'; readonly method: string; readonly methodData: string }
  /** The document in the issuer's hidden frame tells the page around the frame that the 3DS method is complete. */
  | { readonly step: 'methodCompleted' }
  /** Decoupled authentication: the issuer contacts the shopper without the browser. */
  | { readonly step: 'wait'; readonly url: string }
  /** The issuer's page was shown, and cannot be shown again: the shopper waits for its result, or cancels. */
  | { readonly step: 'interrupted'; readonly url: string }
  /** The authentication has ended: the shopper returns to the shop. */
  | { readonly step: 'over'; readonly url: string }

/**
 * Creates the handlers of `/pages/authentications/…`: the gateway's own pages of 3-D Secure, the requests of these
 * pages, and the RReq of directory servers.
 */
export function authenticationPages(gateway: Gateway) {
  const { storage, assets, pages } = gateway

  const sessionOf = async (id: string): Promise<SessionRow | undefined> => {
    const session = await readSession(gateway, id)
    return session && isAuthentication(session) ? session : undefined
  }

  const fileOf = (name: string) => ({ url: assetUrlOf(assets, name), integrity: assets.integrityOf(name) })

  function send(reply: FastifyReply, language: LanguageCode, data: PageData, statusText?: string): FastifyReply {
    const nonce = randomBytes(16).toString('base64')
    const page = htmlOf(language, data, {
      nonce,
      statusText,
      script: fileOf('authentication.js'),
      style: fileOf('authentication.css'),
    })
    return reply.header('content-security-policy', policyOf(nonce)).type(HTML).send(page)
  }

  const logFailure = ({ id: session }: SessionRow, error: unknown) =>
    gateway.log.error({ operation: 'resume after authentication', session, ...errorFields(error) })

  const sendReturn = (reply: FastifyReply, session: SessionRow): FastifyReply =>
    send(reply, languageOfSession(session), { step: 'over', url: shopUrlOf(session) })

  return {
    show: async (request: SessionRequest, reply: FastifyReply) => {
      const session = await sessionOf(request.params.id)
      if (!session) return notFound(reply)
      const [row] = await storage.transactions([session.transaction_id])
      if (!row || !mayResultChange(row)) return sendReturn(reply, session)
      const { authenticating } = progressOf(session)
      if (authenticating?.decoupledMinutes !== undefined) {
        const { cardholderInfo } = authenticating
        return send(reply, languageOfSession(session), { step: 'wait', url: shopUrlOf(session) }, cardholderInfo)
      }
      if (authenticating?.challengeSent) {
        const language = languageOfSession(session)
        return send(reply, language, { step: 'interrupted', url: shopUrlOf(session) }, waitingText(language))
      }
      const methodData = methodDataOf(pages.url, session.id)
      const method = (await methodUrlOf(gateway, session)) ?? ''
      return send(reply, languageOfSession(session), { step: 'begin', method, methodData })
    },

    /** Answers in the issuer's frame once the 3DS method is complete. The answer notifies the page around the frame. */
    completeMethod: async (request: SessionRequest, reply: FastifyReply) => {
      const id = sessionIdIn(formValue(request.body, 'threeDSMethodData'))
      if (id !== request.params.id) return notFound(reply)
      return send(reply, 'en', { step: 'methodCompleted' })
    },

    begin: async (request: SessionRequest, reply: FastifyReply) => {
      const session = await sessionOf(request.params.id)
      const browser = session && browserOf(request, gateway.clientInfo.addressOf(request.raw) ?? '')
      if (!session || !browser) return reply.code(session ? 400 : 404).send()
      const step = await beginAuthentication(gateway, session, browser)
      if (step.next !== 'over') return reply.type('application/json').send(JSON.stringify(step))
      await pollSession(gateway, session)
      return reply.type('application/json').send(JSON.stringify({ next: 'over', url: shopUrlOf(session) }))
    },

    /** Cancels the authentication, because the shopper has chosen another payment method. */
    cancel: async (request: SessionRequest, reply: FastifyReply) => {
      const session = await sessionOf(request.params.id)
      if (!session) return reply.code(404).send()
      await cancelSession(gateway, session)
      return reply.type('application/json').send(JSON.stringify({ next: 'over', url: shopUrlOf(session) }))
    },

    /** Answers a shopper who returns from the issuer. Parameters of the browser are ignored: only the RReq counts. */
    returnFromIssuer: async (request: SessionRequest, reply: FastifyReply) => {
      const session = await sessionOf(request.params.id)
      if (!session) return notFound(reply)
      await pollSession(gateway, session)
      return sendReturn(reply, session)
    },

    /** Receives an RReq from the directory server: the outcome of a challenge or of a decoupled authentication. */
    receiveRReq: async (request: SessionRequest, reply: FastifyReply) => {
      const outcome = await receiveResult(gateway, request.body ?? new Uint8Array())
      if (!outcome) return reply.code(400).send()
      const { answer, session } = outcome
      // The answer does not wait for an acquirer. If this call fails, the session's job polls again.
      if (session) void pollSession(gateway, session).catch((error) => logFailure(session, error))
      return reply.type('application/json; charset=utf-8').send(Buffer.from(answer))
    },
  }
}

const waitingText = (language: LanguageCode): string => {
  const { underWay, waitOrChange } = widgetTexts[language]
  return `${underWay} ${waitOrChange}`
}

const languageOfSession = (session: SessionRow): LanguageCode => {
  const parameters = readStoredParameters(session.parameters)
  return languageOf(parameters['locale'] ?? parameters['customer.browser.language'])
}

const BrowserData = Type.Object({
  looked: Type.Enum(['Y', 'N', 'U']),
  parameters: Type.Record(Type.String(), Type.String()),
})

/**
 * The completion of the 3DS method, and the browser's valid parameters from body, Accept header and address; undefined
 * for a malformed body.
 */
function browserOf({ body, headers }: SessionRequest, address: string): Browser | undefined {
  try {
    const sent: unknown = JSON.parse(body?.toString('utf8') ?? '')
    if (!Value.Check(BrowserData, sent)) return undefined
    const { looked: methodCompletion, parameters } = sent
    const acceptHeader = headers.accept ?? '*/*'
    const candidates = { ...parameters, 'customer.browser.acceptHeader': acceptHeader, 'customer.ip': address }
    return {
      methodCompletion,
      parameters: Object.fromEntries(Object.entries(candidates).filter(isBrowserParameter)),
    }
  } catch {
    return undefined
  }
}

function isBrowserParameter([name, value]: readonly [string, string]): boolean {
  if (!name.startsWith('customer.browser.') && name !== 'customer.ip') return false
  return findParameter('payment', name)?.row.format.accepts(value) ?? false
}

const formValue = (body: Buffer | undefined, name: string): string =>
  new URLSearchParams(body?.toString('utf8')).get(name) ?? ''

/** Any shop may frame the page, and the page may frame any issuer. The page loads only its own scripts and styles. */
const policyOf = (nonce: string): string =>
  withReporting(
    [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      "connect-src 'self'",
      'frame-src *',
      "base-uri 'none'",
      'frame-ancestors *',
    ].join('; '),
  )

interface File {
  readonly url: string
  readonly integrity: string
}

interface PageParts {
  readonly nonce: string
  /** Replaces the default status text: the issuer's information for the cardholder, or the text of an interruption. */
  readonly statusText: string | undefined
  readonly script: File
  readonly style: File
}

function htmlOf(language: LanguageCode, data: PageData, { nonce, statusText, script, style }: PageParts): string {
  const { tag, direction } = languages[language]
  const texts = widgetTexts[language]
  const attributes = Object.entries(data).map(([name, value]) => ` data-${kebab(name)}="${escapeHtml(value)}"`)
  const hasUrl = 'url' in data && data.url !== ''
  const backLink = hasUrl ? `<a href="${escapeHtml(data.url)}">${escapeHtml(texts.continueButton)}</a>` : ''
  const cancelButton =
    data.step === 'interrupted' ? `<button type="button">${escapeHtml(texts.otherMethod)}</button>` : ''
  const status = data.step === 'over' ? texts.returning : (statusText ?? texts.authenticating)
  const spinner = data.step === 'wait' || data.step === 'interrupted' ? '' : '<div class="wait"></div>'
  const integrityAttributes = ({ integrity }: File) =>
    `integrity="${integrity}" crossorigin="anonymous" nonce="${nonce}"`
  return `<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(texts.authenticationTitle)}</title>
<link rel="stylesheet" href="${style.url}" ${integrityAttributes(style)}>
<script src="${script.url}" ${integrityAttributes(script)} defer></script>
</head>
<body${attributes.join('')}>
<main>
<h1>${escapeHtml(texts.authenticationTitle)}</h1>
<p role="status">${escapeHtml(status)}</p>
${spinner}
<p role="alert" data-failed hidden>${escapeHtml(texts.stillUnknown)}</p>
<noscript><p>${escapeHtml(texts.noScript)}</p></noscript>
${cancelButton}
${backLink}
</main>
</body>
</html>
`
}

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
