import { describe, expect, test } from 'vitest'
import {
  CHECKOUT_ID,
  longTest,
  en,
  eventually,
  gateway,
  shop,
  page,
  noExpiry,
  openForm,
  frameInput,
  control,
  hint,
  payButton,
  fillCard,
  postedValues,
  waitForReturn,
  setUpBrowser,
} from './form.ts'
import { axeViolations } from './axe.ts'
import { redirectTo } from './fake-gateway.ts'

setUpBrowser()

describe('payment methods of the widget', () => {
  longTest('a direct debit is submitted with a mandate', async () => {
    await openForm({ brands: 'DIRECTDEBIT_SEPA' })
    await control('accountHolder').fill('Jane Jones')
    await control('iban').fill('DE89370400440532013001')
    await control('accountHolder').focus()
    expect(await hint('iban').innerText()).toBe(en.errorIban)
    await control('iban').fill('de89 3704 0044 0532 0130 00')
    expect(await axeViolations(page)).toEqual([])
    await control('iban').press('Enter')
    await waitForReturn()
    expect(postedValues()).toMatchObject({
      paymentBrand: 'DIRECTDEBIT_SEPA',
      'bankAccount.iban': 'DE89370400440532013000',
      'bankAccount.country': 'DE',
      'bankAccount.mandate.id': 'ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP',
      'bankAccount.mandate.dateOfSignature': new Date().toISOString().slice(0, 10),
    })
  })

  test('a direct debit shows the mandate’s creditor, identifier and reference', async () => {
    const mandate = { creditor: 'Tea & Cake GmbH', creditorId: 'DE98ZZZ09999999999', reference: undefined }
    const formContent = '<input type="hidden" name="bankAccount.mandate.id" value="TEA-CAKE">'
    await openForm({ brands: 'DIRECTDEBIT_SEPA', checkout: { mandate }, formContent })
    const mandateText = page.locator('.wpwl-mandate')
    expect((await mandateText.innerText()).split('\n').filter((line) => line.trim() !== '')).toEqual([
      en.mandate.replace('{merchant}', mandate.creditor),
      en.creditor,
      mandate.creditor,
      en.creditorId,
      mandate.creditorId,
      en.mandateReference,
      'TEA-CAKE',
    ])
    expect(await axeViolations(page)).toEqual([])
    await control('accountHolder').fill('Jane Jones')
    await control('iban').fill('DE89370400440532013000')
    await payButton().click()
    await waitForReturn()
    expect(postedValues()['bankAccount.mandate.id']).toBe('TEA-CAKE')
  })

  longTest('a direct debit shows only the reference if the creditor is not configured', async () => {
    await openForm({ brands: 'DIRECTDEBIT_SEPA' })
    const lines = (await page.locator('.wpwl-mandate').innerText()).split('\n')
    expect(lines.filter((line) => line.trim() !== '')).toEqual([
      en.mandateWithoutName,
      en.mandateReference,
      'ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP',
    ])
  })

  longTest('a wallet payment redirects to the page of the wallet', async () => {
    await openForm({ brands: 'PAYPAL', answers: [redirectTo(`${shop.url}/bank?lang=en`, { parameters: [] })] })
    expect(await payButton().innerText()).toBe('Continue to PayPal')
    await payButton().click()
    await page.waitForURL(`${shop.url}/bank?lang=en`)
  })

  longTest('a 3-D Secure page is shown in a frame until it reports the end of the authentication', async () => {
    await openForm({ answers: [redirectTo(`${gateway.url}/pages/authentications/1`)] })
    await fillCard()
    await payButton().click()
    const bank = page.frameLocator('.wpwl-authentication-frame')
    await bank.getByRole('heading').waitFor()
    expect(await axeViolations(page)).toEqual([])
    // The Escape key and a message from another sender are ignored.
    await page.keyboard.press('Escape')
    await page.evaluate('postMessage({ kind: "over" }, "*")')
    gateway.checkout = { state: 'done' }
    await bank.getByRole('button').click()
    await waitForReturn()
  })

  test('a payment with a stored card has its CVV', async () => {
    const registrations = [
      { id: 'r'.repeat(32), brand: 'VISA', last4: '1111', holder: 'Jane', expiryMonth: '12', expiryYear: '2039' },
      { id: 's'.repeat(32), brand: 'AMEX', last4: '0005', holder: 'Jane', expiryMonth: '01', expiryYear: '2040' },
    ]
    const options = '{ registrations: { requireCvv: true, hideInitialPaymentForms: true } }'
    await openForm({ checkout: { registrations }, options })
    await page.getByText('American Express ending in 0005').click()
    expect(await page.locator('.wpwl-container-card').isVisible()).toBe(false)
    await frameInput('cvv').fill('1234')
    expect(await axeViolations(page)).toEqual([])
    await payButton().click()
    await waitForReturn()
    expect(postedValues()).toMatchObject({ registrationId: 's'.repeat(32), paymentBrand: 'AMEX', 'card.cvv': '1234' })
  })

  test('a payment with a stored bank account has no CVV', async () => {
    const registrations = [
      { id: 's'.repeat(32), brand: 'DIRECTDEBIT_SEPA', last4: '3000', holder: 'Jane', ...noExpiry },
      { id: 'r'.repeat(32), brand: 'VISA', last4: '1111', holder: 'Jane', expiryMonth: '12', expiryYear: '2039' },
    ]
    await openForm({ checkout: { registrations }, options: '{ registrations: { requireCvv: true } }' })
    const cvv = page.locator('.wpwl-container-registration .wpwl-group-cvv')
    expect(await cvv.isVisible()).toBe(false)
    await page.getByText('Visa ending in 1111').click()
    await frameInput('cvv').fill('123')
    await page.getByText('ending in 3000').click()
    await eventually(() => cvv.isVisible()).toBe(false)
    await page.locator('.wpwl-container-registration .wpwl-button-pay').click()
    await waitForReturn()
    expect(postedValues()).toMatchObject({ registrationId: 's'.repeat(32), paymentBrand: 'DIRECTDEBIT_SEPA' })
    expect(Object.keys(postedValues())).not.toContain('card.cvv')
  })

  longTest('a registration stores a card without a payment', async () => {
    await openForm({ checkout: { purpose: 'registration', amount: undefined, currency: undefined } })
    await fillCard()
    expect(await payButton().innerText()).toBe(en.store)
    await payButton().click()
    await waitForReturn('registration')
    expect(gateway.posted[0]?.path).toBe(`/v1/checkouts/${CHECKOUT_ID}/registration`)
  })

  longTest("the shopper's address is required if the page makes it mandatory", async () => {
    const options = '{ billingAddress: { country: "DE", city: "Köln" }, mandatoryBillingFields: { street1: true } }'
    await openForm({ options })
    await fillCard()
    await payButton().click()
    expect(await hint('street').innerText()).toBe(en.errorRequired)
    await control('street').fill('Domstraße')
    expect(await axeViolations(page)).toEqual([])
    await payButton().click()
    await waitForReturn()
    expect(postedValues()).toMatchObject({
      'billing.street1': 'Domstraße',
      'billing.city': 'Köln',
      'billing.country': 'DE',
    })
  })
})
