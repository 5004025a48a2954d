import { type Html, html } from '@tollgate/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../limits.ts'
import { priceText, sendPage } from '../pages/page.ts'
import type { FormRequest } from '../pages/page-request.ts'
import type { ShopTexts } from '../pages/texts.ts'
import { redirectBrands } from '../pay-by-redirect.ts'
import { type CartLine, linesOf, totalMinor, withQuantity } from './cart.ts'
import { catalogue, findProduct, type Product } from './catalogue.ts'

/** Adds the page of the products, and the cart with all ways to pay. */
export function addStorePages(pages: FastifyInstance): void {
  pages.get('/', async (request, reply) => {
    const { store } = request.texts
    const cards = catalogue.map((product) => productCard(request, product))
    const main = html`<section class="hero"><h1>${store.title}</h1><p>${store.text}</p></section>
<ul class="products">${cards}</ul>`
    return sendPage(request, reply, { title: store.name, main })
  })

  // `more` adds one piece of a product to the cart; `quantity` sets the number of pieces.
  pages.post<FormRequest>('/cart', async ({ body, customer }, reply) => {
    const product = findProduct(body.get('product') ?? '')
    if (product) {
      const more = (customer.cart[product.id] ?? 0) + 1
      const quantity = body.has('more') ? more : Math.trunc(Number(body.get('quantity'))) || 0
      customer.cart = withQuantity(customer.cart, product, quantity)
    }
    return reply.redirect('/cart', 303)
  })

  pages.get('/cart', async (request, reply) => {
    const { cart } = request.texts
    const lines = linesOf(request.customer.cart)
    const main = lines.length === 0 ? emptyCartPage(request.texts) : filledCartPage(request, lines)
    return sendPage(request, reply, { title: cart.name, main })
  })
}

function productCard(request: FastifyRequest, { id, name, description, priceMinor, picture }: Product): Html {
  const { language, texts } = request
  return html`<li class="card product">
<div class="shelf">${picture}</div>
<h2>${name[language]}</h2>
<p>${description[language]}</p>
<form method="post" action="/cart"><strong>${priceText(request, priceMinor)}</strong>
<input type="hidden" name="product" value="${id}"><input type="hidden" name="more" value="1">
<button aria-label="${texts.store.add}: ${name[language]}">${texts.store.add}</button></form>
</li>`
}

const emptyCartPage = ({ cart, store }: ShopTexts): Html =>
  html`<section class="card narrow center"><h1>${cart.name}</h1><p>${cart.empty}</p>
<p><a class="button" href="/">${store.name}</a></p></section>`

function filledCartPage(request: FastifyRequest, lines: readonly CartLine[]): Html {
  const { cart } = request.texts
  return html`<h1>${cart.name}</h1><div class="columns"><section class="card">
<ul class="lines">${lines.map((line) => cartLine(request, line))}</ul>
<p class="total"><span>${cart.total}</span><strong>${priceText(request, totalMinor(lines))}</strong></p>
</section>
<section class="card ways"><h2>${cart.ways}</h2>${waysToPay(request.texts)}</section></div>`
}

function cartLine(request: FastifyRequest, { product, quantity }: CartLine): Html {
  const { texts, language } = request
  const id = `quantity-${product.id}`
  const name = product.name[language]
  return html`<li>${product.picture}<div><h2>${name}</h2><p>${priceText(request, product.priceMinor)}</p></div>
<form method="post" action="/cart"><input type="hidden" name="product" value="${product.id}">
<label class="hidden" for="${id}">${texts.cart.quantity}: ${name}</label>
<input id="${id}" name="quantity" type="number" min="0" max="${limits.quantityMax}" value="${quantity}" required>
<button class="quiet">${texts.cart.change}</button></form></li>`
}

const brandOptions = redirectBrands.map(({ code, name }) => html`<option value="${code}">${name}</option>`)

const waysToPay = ({ widget, redirect, ownForm }: ShopTexts): Html => html`<form method="post" action="/pay">
<p><strong>${widget.name}</strong> ${widget.text}</p>
<label class="check"><input type="checkbox" name="store" value="true"> ${widget.store}</label>
<button class="first" name="with" value="cards">${widget.cards}</button>
<button name="with" value="debit">${widget.debit}</button>
</form>
<form method="post" action="/redirect">
<p><strong>${redirect.name}</strong> ${redirect.text}</p>
<div class="row"><label class="hidden" for="brand">${redirect.brand}</label>
<select id="brand" name="brand">${brandOptions}</select>
<button>${redirect.pay}</button></div>
</form>
<form method="get" action="/card-form">
<p><strong>${ownForm.name}.</strong> ${ownForm.text}</p>
<button>${ownForm.open}</button>
</form>`
