import { type Html, html, languages } from '@tollgate/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayAnswer } from '../gateway.ts'
import { amountOf, linesOf } from '../store/cart.ts'
import { CURRENCY } from '../store/catalogue.ts'
import { ICON_PATH, STYLE_PATH } from './assets.ts'
import { amountText, shopLanguages } from './languages.ts'
import type { Message } from './texts.ts'

interface Page {
  readonly title: string
  readonly main: Html
  /** Directives of the Content-Security-Policy that complement or replace those of `commonPolicy`. */
  readonly policy?: Readonly<Record<string, string>>
}

/**
 * Directives of the Content-Security-Policy of all pages: only the shop's own style sheet and pictures are allowed. A
 * form may lead to any http or https address, because browsers also check the redirects after a form, and a shopper is
 * redirected from bank to gateway to shop; `javascript:` and `data:` are forbidden.
 */
const commonPolicy = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'form-action': "'self' https: http:",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
} as const

/** Sends a page, with the header and footer of all pages. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, { title, main, policy }: Page): FastifyReply {
  const { language, texts } = request
  const page = html`<!doctype html>
<html lang="${language}" dir="${languages[language].direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Kettle &amp; Leaf</title>
<link rel="icon" href="${ICON_PATH}">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<a class="skip" href="#main">${texts.skip}</a>
<header><div class="wide">${navigation(request)}</div></header>
<main id="main" class="wide">${main}</main>
<footer><div class="wide"><p>${texts.footer}</p>${languageLinks(request)}</div></footer>
</body>
</html>
`
  const directives = Object.entries({ ...commonPolicy, ...policy }).map(([name, value]) => `${name} ${value}`)
  return reply
    .headers({
      'content-security-policy': directives.join('; '),
      'cache-control': 'no-store',
      // Browsers send the referrer only to the shop. With `no-referrer` they would also send forms with the origin
      // `null`, which the shop refuses.
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(page.html)
}

function navigation({ url, customer, texts }: FastifyRequest): Html {
  const count = linesOf(customer.cart).reduce((sum, { quantity }) => sum + quantity, 0)
  const link = (href: string, text: string): Html =>
    html`<a href="${href}"${url.split('?')[0] === href ? html` aria-current="page"` : undefined}>${text}</a>`
  const logo = html`<img src="${ICON_PATH}" alt="" width="36" height="36"><span>Kettle &amp; Leaf</span>`
  return html`<a class="logo" href="/">${logo}</a>
<nav aria-label="${texts.navigation}">${[
    link('/subscription', texts.subscription.name),
    link('/cards', texts.cards.name),
    link('/cart', `${texts.cart.name} (${count})`),
  ]}</nav>`
}

/** Links to the same page in each language. */
function languageLinks({ url, language, texts }: FastifyRequest): Html {
  const links = shopLanguages.map((code) => {
    const [path = '', query] = url.split('?')
    const parameters = new URLSearchParams(query)
    parameters.set('lang', code)
    const current = code === language ? html` aria-current="true"` : undefined
    const { native } = languages[code]
    return html`<a href="${path}?${parameters.toString()}" lang="${code}" hreflang="${code}"${current}>${native}</a>`
  })
  return html`<nav aria-label="${texts.language}">${links}</nav>`
}

/** Sends a page with a message and a link to the cart. */
export function sendMessagePage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  { title, text }: Message,
  detail?: string,
): FastifyReply {
  const main = html`<section class="card narrow center"><h1>${title}</h1><p>${text}</p>
${detail === undefined ? undefined : html`<p class="detail" dir="ltr">${detail}</p>`}
<p><a class="button" href="/cart">${request.texts.cart.back}</a></p></section>`
  return sendPage(request, reply.code(status), { title, main })
}

/**
 * Sends the page for a request that the gateway refused. The gateway's messages are English and for developers, so they
 * are logged; the shopper sees the code and the names of the parameters.
 */
export function sendRefusalPage(request: FastifyRequest, reply: FastifyReply, { result }: GatewayAnswer): FastifyReply {
  const { code, description, parameterErrors = [] } = result
  const messages = parameterErrors.map(({ name, message }) => `${name} ${message}`)
  process.stderr.write(`shop: ${request.url} was refused: ${[`${code} ${description}`, ...messages].join('; ')}\n`)
  const detail = [code, ...parameterErrors.map(({ name }) => name)].join(', ')
  return sendMessagePage(request, reply, 502, request.texts.refused, detail)
}

/** Formats a price for people. */
export const priceText = ({ language }: FastifyRequest, minor: number): string =>
  amountText(language, amountOf(minor), CURRENCY)
