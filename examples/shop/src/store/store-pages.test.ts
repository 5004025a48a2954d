import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { SHOP_URL, locationOf, testShop } from '../testing/test-shop.ts'

const shop = testShop()

describe('the store', () => {
  test('shows every product, and adds products only to the cart of the visitor', async () => {
    expect((await shop().get('/')).body.match(/class="card product"/g)).toHaveLength(6)
    await shop().post('/cart', { product: 'kettle', more: '1' })
    await shop().post('/cart', { product: 'kettle', more: '1' })
    expect((await shop().get('/cart')).body).toContain('€128.00')
    shop().cookie = ''
    expect((await shop().get('/cart')).body).toContain('There is nothing in it yet.')
  })

  test.each([
    ['1000', '€1,237.50'],
    ['-1', 'nothing in it'],
    ['0', 'nothing in it'],
    ['x', 'nothing in it'],
    ['2.9', '€25.00'],
    ['1e400', '€1,237.50'],
  ])('with the quantity %s in a form shows %j in the cart', async (quantity, text) => {
    await shop().post('/cart', { product: 'sencha', quantity })
    expect((await shop().get('/cart')).body).toContain(text)
  })

  test('ignores an unknown product', async () => {
    await shop().post('/cart', { product: 'constructor', quantity: '1' })
    expect((await shop().get('/cart')).body).toContain('nothing in it')
  })

  test.each([
    ['/?lang=de', 'In den Warenkorb', '<html lang="de" dir="ltr">'],
    ['/?lang=ar', 'إضافة إلى السلة', '<html lang="ar" dir="rtl">'],
    ['/?lang=xx', 'Add to cart', '<html lang="en" dir="ltr">'],
  ])('at %s has the text %j, and afterwards the tag %j at /', async (path, text, tag) => {
    expect((await shop().get(path)).body).toContain(text)
    expect((await shop().get('/')).body).toContain(tag)
  })

  test('refuses a form of another site', async () => {
    const response = await shop().send(
      'POST',
      '/cart',
      { product: 'kettle', more: '1' },
      { origin: 'https://other.example' },
    )
    expect(response.status).toBe(403)
    expect((await shop().get('/cart')).body).toContain('nothing in it')
  })

  test('redirects browsers from another host name to its own', async () => {
    const response = await shop().send('GET', '/cart?lang=de', {}, { host: 'localhost:8082' })
    expect([response.status, locationOf(response)]).toEqual([303, `${SHOP_URL}/cart?lang=de`])
    expect((await shop().send('GET', '/cart', {}, { host: 'shop.example' })).status).toBe(200)
  })

  test('sets a cookie that is HttpOnly and Secure', async () => {
    expect((await shop().get('/')).headers['set-cookie']).toMatch(
      /^tollgate-shop=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test('answers an unknown path with 404', async () => {
    expect((await shop().get('/nowhere')).status).toBe(404)
  })
})

test('the oldest customer is dropped if there are too many', async () => {
  await shop().fillCart()
  const firstCookie = shop().cookie
  for (let count = 0; count < limits.customersMax; count += 1) {
    shop().cookie = ''
    await shop().post('/cart')
  }
  shop().cookie = firstCookie
  expect((await shop().get('/cart')).body).toContain('nothing in it')
})
