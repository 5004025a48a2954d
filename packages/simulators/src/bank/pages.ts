import { brands, type Html, html } from '@tollgate/contract'
import { amountText, languageOf, type PageLanguage, pageLanguages } from '../http/page-language.ts'
import { limits } from '../limits.ts'
import { type ChoiceName, choiceNames, choiceOf } from './choices.ts'
import type { BankPayment } from './payments.ts'
import { returnAddress } from './return-address.ts'
import { bankIcon, bankStyle } from './style.ts'
import { type BankTexts, bankTexts } from './texts.ts'
import { logos, type Theme, themes } from './themes.ts'

interface View {
  readonly language: PageLanguage
  readonly payment: BankPayment
}

/** The HTML document of every page, around its content. */
function frame(language: PageLanguage, theme: Theme, title: string, main: Html): Html {
  const { tag, direction } = languageOf(language)
  const texts = bankTexts[language]
  return html`<!doctype html>
<html lang="${tag}" dir="${direction}" class="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${bankIcon.path}">
<link rel="stylesheet" href="${bankStyle.path}">
</head>
<body>
<header class="top"><p class="notice">${texts.testPage}</p>${languageLinks(language, texts)}</header>
<main>${main}</main>
</body>
</html>
`
}

const languageLinks = (current: PageLanguage, texts: BankTexts): Html =>
  html`<nav class="languages" aria-label="${texts.language}">${pageLanguages.map((code) => {
    const { native, tag } = languageOf(code)
    if (code === current) return html`<span aria-current="true" lang="${tag}">${native}</span>`
    return html`<a href="?locale=${code}" lang="${tag}" hreflang="${tag}">${native}</a>`
  })}</nav>`

const themeOf = ({ order }: BankPayment): Theme => themes[brands[order.brand].kind]

const brandBand = (payment: BankPayment, texts: BankTexts): Html => {
  const theme = themeOf(payment)
  return html`<div class="brand">${logos[theme]}<div><h1>${brands[payment.order.brand].name}</h1>
<p>${texts.themes[theme].name}</p></div></div>`
}

/** The page with the order and all buttons. `invalidChoice` is the button whose minutes are invalid. */
export function orderPage({ language, payment, invalidChoice }: View & { readonly invalidChoice?: ChoiceName }): Html {
  const texts = bankTexts[language]
  const { brand } = payment.order
  const action = `/bank/${payment.id}?locale=${language}`
  const otherChoices = choiceNames.filter((name) => name !== 'pay' && name !== 'cancel')
  return frame(
    language,
    themeOf(payment),
    `${brands[brand].name} · ${payment.order.description}`,
    html`<section class="card">
${brandBand(payment, texts)}
<div class="body">
${facts(language, payment)}
<form method="post" action="${action}">
<button class="first" name="choice" value="pay">${texts.choices.pay.name}</button>
<button class="plain" name="choice" value="cancel">${texts.choices.cancel.name}</button>
</form>
</div>
</section>
<section class="card others" aria-labelledby="others">
<h2 id="others">${texts.otherOutcomes}</h2>
<p>${texts.otherOutcomesHint}</p>
${otherChoices.map((name) => choiceForm(name, action, texts, name === invalidChoice))}
</section>`,
  )
}

function facts(language: PageLanguage, payment: BankPayment): Html {
  const texts = bankTexts[language]
  const { amount, currency, description, reference } = payment.order
  const theme = themeOf(payment)
  const { detailLabel, detail } = texts.themes[theme]
  const slipNumber = payment.id
    .slice(0, 16)
    .replaceAll(/(.{4})(?=.)/g, '$1 ')
    .toUpperCase()
  return html`<dl class="facts">
<div><dt>${texts.amount}</dt><dd class="sum">${amountText(language, amount, currency)}</dd></div>
<div><dt>${texts.payTo}</dt><dd><bdi>${description}</bdi></dd></div>
<div><dt>${detailLabel}</dt><dd>${detail}</dd></div>
<div><dt>${texts.reference}</dt><dd><bdi>${reference}</bdi></dd></div>
</dl>
${theme === 'voucher' ? html`<p class="slip" dir="ltr">${slipNumber}</p>` : undefined}`
}

function choiceForm(name: ChoiceName, action: string, texts: BankTexts, isWrong: boolean): Html {
  const { later } = choiceOf(name)
  const hint = `hint-${name}`
  return html`<form method="post" action="${action}">
<p id="${hint}">${texts.choices[name].hint}</p>
${later && minutesField(name, later.minutes, texts, isWrong)}
<button name="choice" value="${name}" aria-describedby="${hint}">${texts.choices[name].name}</button>
</form>`
}

function minutesField(name: ChoiceName, minutes: number, texts: BankTexts, isWrong: boolean): Html {
  const id = `minutes-${name}`
  const max = String(limits.pendingMinutesMax)
  const invalidAttributes = isWrong ? html` aria-invalid="true" aria-describedby="wrong-${name}" autofocus` : undefined
  const error = html`<p class="wrong" id="wrong-${name}" role="alert">${texts.minutesWrong(max)}</p>`
  return html`${isWrong ? error : undefined}
<div><label for="${id}">${texts.minutes}</label>
<input id="${id}" name="minutes" type="number" inputmode="numeric" min="1" max="${max}" value="${minutes}"
  required${invalidAttributes}></div>`
}

interface StateView extends View {
  /** Whether the chosen transition is no longer possible. */
  readonly isTooLate?: true
  /** Whether the shopper may close the page, which then has no link to the shop. */
  readonly mayClose?: true
}

/** The page with the state of a payment for which the shopper has no further choice. */
export function statePage({ language, payment, isTooLate, mayClose }: StateView): Html {
  const texts = bankTexts[language]
  const { name, hint } = texts.states[payment.state]
  const backLink = html`<a class="button first" href="${returnAddress(payment)}">${texts.back}</a>`
  return frame(
    language,
    themeOf(payment),
    `${name} · ${brands[payment.order.brand].name}`,
    html`<section class="card">
${brandBand(payment, texts)}
<div class="state">
${isTooLate && html`<p class="wrong" role="alert">${texts.tooLate}</p>`}
<h2>${name}</h2>
<p>${hint}</p>
${mayClose ? html`<p>${texts.close}</p>` : backLink}
</div>
</section>`,
  )
}

/** The page for an unknown payment. */
export function notFoundPage(language: PageLanguage): Html {
  const { name, hint } = bankTexts[language].notFound
  return frame(language, 'bank', name, html`<section class="card state"><h1>${name}</h1><p>${hint}</p></section>`)
}
