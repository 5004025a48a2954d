import { type Html, html } from '@tollgate/contract'
import { page } from '../http/answers.ts'
import type { SimulatorResponse } from '../http/exchange.ts'
import { withQuery } from '../http/with-query.ts'
import { amountText, languageOf, pageLanguages } from '../http/page-language.ts'
import { amountOf, linesOf } from './cart.ts'
import { CURRENCY } from './catalogue.ts'
import type { GatewayAnswer } from './gateway.ts'
import { shopIcon } from './icon.ts'
import { shopStyle } from './style.ts'
import type { Message } from './texts.ts'
import type { Visit } from './visit.ts'

interface Frame {
  readonly title: string
  readonly main: Html
  readonly status?: number
  /** What the page may load besides what is our own. */
  readonly policy?: Readonly<Record<string, string>>
}

/** The frame of every page. */
export function shopPage(visit: Visit, { title, main, status = 200, policy }: Frame): SimulatorResponse {
  const { language, texts } = visit
  const { tag, direction } = languageOf(language)
  return page(
    status,
    html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Kettle &amp; Leaf</title>
<link rel="icon" href="${shopIcon.path}">
<link rel="stylesheet" href="${shopStyle.path}">
</head>
<body>
<a class="skip" href="#main">${texts.skip}</a>
<header><div class="wide">${navigation(visit)}</div></header>
<main id="main" class="wide">${main}</main>
<footer><div class="wide"><p>${texts.footer}</p>${languageLinks(visit)}</div></footer>
</body>
</html>
`,
    policy,
  )
}

function navigation({ call, visitor, texts }: Visit): Html {
  const count = linesOf(visitor.cart).reduce((sum, { quantity }) => sum + quantity, 0)
  const link = (href: string, text: string): Html =>
    html`<a href="${href}"${call.path === href ? html` aria-current="page"` : undefined}>${text}</a>`
  const logo = html`<img src="${shopIcon.path}" alt="" width="36" height="36"><span>Kettle &amp; Leaf</span>`
  return html`<a class="logo" href="/">${logo}</a>
<nav aria-label="${texts.navigation}">${[
    link('/subscription', texts.subscription.name),
    link('/cards', texts.cards.name),
    link('/cart', `${texts.cart.name} (${count})`),
  ]}</nav>`
}

/** The page that is shown, in the other languages. */
function languageLinks({ call, language, texts }: Visit): Html {
  const to = (code: string): string =>
    withQuery(call.path, new URLSearchParams([...withoutLang(call.query), ['lang', code]]))
  return html`<nav aria-label="${texts.language}">${pageLanguages.map((code) => {
    const { native, tag } = languageOf(code)
    const current = code === language ? html` aria-current="true"` : undefined
    return html`<a href="${to(code)}" lang="${tag}" hreflang="${tag}"${current}>${native}</a>`
  })}</nav>`
}

const withoutLang = (query: URLSearchParams): [string, string][] => [...query].filter(([name]) => name !== 'lang')

/** Something that has to be said, and a way back. */
export function messagePage(
  visit: Visit,
  status: number,
  { title, text }: Message,
  detail?: string,
): SimulatorResponse {
  const main = html`<section class="card narrow center"><h1>${title}</h1><p>${text}</p>
${detail === undefined ? undefined : html`<p class="detail" dir="ltr">${detail}</p>`}
<p><a class="button" href="/cart">${visit.texts.cart.back}</a></p></section>`
  return shopPage(visit, { title, main, status })
}

/**
 * The gateway did not take the request. Its messages are English and for developers: they go to the log. The shopper
 * sees the code and the names of the parameters.
 */
export function refusedPage(visit: Visit, { result }: GatewayAnswer): SimulatorResponse {
  const { code, description, parameterErrors = [] } = result
  const messages = parameterErrors.map(({ name, message }) => `${name} ${message}`)
  process.stderr.write(`shop: ${visit.call.path} was refused: ${[`${code} ${description}`, ...messages].join('; ')}\n`)
  return messagePage(visit, 502, visit.texts.refused, [code, ...parameterErrors.map(({ name }) => name)].join(', '))
}

/** What something costs. */
export const priceText = ({ language }: Visit, minor: number): string => amountText(language, amountOf(minor), CURRENCY)
