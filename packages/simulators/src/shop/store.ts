import { type Html, html } from '@tollgate/contract'
import { seeOther } from '../http/answers.ts'
import { limits } from '../limits.ts'
import { type CartLine, linesOf, totalMinor, withQuantity } from './cart.ts'
import { catalogue, findProduct, type Product } from './catalogue.ts'
import { priceText, shopPage } from './layout.ts'
import { redirectBrands } from './pay-by-redirect.ts'
import type { Action, Visit } from './visit.ts'

/** What there is to buy. */
export const showStore: Action = (_, visit) => {
  const { texts } = visit
  return shopPage(visit, {
    title: texts.store.name,
    main: html`<section class="hero"><h1>${texts.store.title}</h1><p>${texts.store.text}</p></section>
<ul class="products">${catalogue.map((product) => productCard(visit, product))}</ul>`,
  })
}

const productCard = (visit: Visit, product: Product): Html => html`<li class="card product">
<div class="shelf">${product.picture}</div>
<h2>${product.name[visit.language]}</h2>
<p>${product.about[visit.language]}</p>
<form method="post" action="/cart"><strong>${priceText(visit, product.priceMinor)}</strong>
<input type="hidden" name="product" value="${product.id}"><input type="hidden" name="more" value="1">
<button aria-label="${visit.texts.store.add}: ${product.name[visit.language]}">${visit.texts.store.add}</button></form>
</li>`

/** Puts one more of a product into the cart (`more`), or sets how many there are (`quantity`). */
export const changeCart: Action = ({ visitors }, { call, visitor }) => {
  const form = new URLSearchParams(call.body)
  const product = findProduct(form.get('product') ?? '')
  if (product) {
    const more = (visitor.cart[product.id] ?? 0) + 1
    const quantity = form.has('more') ? more : Math.trunc(Number(form.get('quantity'))) || 0
    visitors.change(visitor.id, { cart: withQuantity(visitor.cart, product, quantity) })
  }
  return seeOther('/cart')
}

/** The cart, and every way to pay for it. */
export const showCart: Action = (_, visit) => {
  const { visitor, texts } = visit
  const lines = linesOf(visitor.cart)
  const main =
    lines.length === 0
      ? html`<section class="card narrow center"><h1>${texts.cart.name}</h1><p>${texts.cart.empty}</p>
<p><a class="button" href="/">${texts.store.name}</a></p></section>`
      : html`<h1>${texts.cart.name}</h1><div class="columns"><section class="card">
<ul class="lines">${lines.map((line) => cartLine(visit, line))}</ul>
<p class="total"><span>${texts.cart.total}</span><strong>${priceText(visit, totalMinor(lines))}</strong></p>
</section>
<section class="card ways"><h2>${texts.cart.ways}</h2>${waysToPay(visit)}</section></div>`
  return shopPage(visit, { title: texts.cart.name, main })
}

function cartLine(visit: Visit, { product, quantity }: CartLine): Html {
  const { texts, language } = visit
  const id = `quantity-${product.id}`
  const name = product.name[language]
  return html`<li>${product.picture}<div><h2>${name}</h2><p>${priceText(visit, product.priceMinor)}</p></div>
<form method="post" action="/cart"><input type="hidden" name="product" value="${product.id}">
<label class="hidden" for="${id}">${texts.cart.quantity}: ${name}</label>
<input id="${id}" name="quantity" type="number" min="0" max="${limits.quantityMax}" value="${quantity}" required>
<button class="quiet">${texts.cart.change}</button></form></li>`
}

const brandOptions = redirectBrands.map(({ code, name }) => html`<option value="${code}">${name}</option>`)

const waysToPay = ({ texts }: Visit): Html => html`<form method="post" action="/pay">
<p><strong>${texts.widget.name}</strong> ${texts.widget.text}</p>
<label class="check"><input type="checkbox" name="store" value="true"> ${texts.widget.store}</label>
<button class="first" name="with" value="cards">${texts.widget.cards}</button>
<button name="with" value="debit">${texts.widget.debit}</button>
</form>
<form method="post" action="/redirect">
<p><strong>${texts.redirect.name}</strong> ${texts.redirect.text}</p>
<div class="row"><label class="hidden" for="brand">${texts.redirect.brand}</label>
<select id="brand" name="brand">${brandOptions}</select>
<button>${texts.redirect.pay}</button></div>
</form>
<form method="get" action="/card-form">
<p><strong>${texts.ownForm.name}.</strong> ${texts.ownForm.text}</p>
<button>${texts.ownForm.open}</button>
</form>`
