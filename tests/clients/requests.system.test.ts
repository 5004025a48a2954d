import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { gatewayKinds } from '../support/public-gateways.ts'
import { card, debit, entityOf, type Fields, channelKinds, outcome, SHOP, createWire } from './wire.ts'
import { APPROVED, type ExpectedOutcomes, expectedOutcome, invalid, omit, requestsOf, UNKNOWN_ID } from './requests.ts'

// The tests send requests as deployed clients do, on each kind of channel: with their authentication and their encoding
// of parameters. The answers must have the fields, codes and phrases that the clients read.

const EXTERNAL_APPROVED = '200 000.100.112'
const wire = createWire()

describe.each(gatewayKinds)('a gateway %s', (gatewayKind) => {
  beforeAll(() => wire.start(gatewayKind))
  afterAll(() => wire.close())

  describe.each(channelKinds)('on a channel that is %s', (kind) => {
    const entityId = entityOf[kind]
    const { pay, payWith, followUp } = requestsOf(wire, kind)

    describe('authentication', () => {
      const REFUSED = '800.900.300'
      const user = { 'authentication.userId': sandboxIds.user, 'authentication.password': 'sandbox' }
      const withAuthenticationEntityId = { ...omit(debit(kind), 'entityId'), 'authentication.entityId': entityId }

      test.each([
        { title: 'no header', token: '', headers: {}, status: 401 },
        { title: 'another scheme', token: '', headers: { authorization: `Basic ${sandboxToken}` }, status: 401 },
        { title: 'another token', token: 'wrong', headers: {}, status: 403 },
      ])('$title is answered with $status in JSON', async ({ token, headers, status }) => {
        const answers = [
          await wire.post('/v1/payments', debit(kind), { token, headers }),
          await wire.get(`/v1/payments/${UNKNOWN_ID}?entityId=${entityId}`, { token, headers }),
          await wire.send('DELETE', `/v1/registrations/${UNKNOWN_ID}?entityId=${entityId}`, { token, headers }),
        ]
        expect(answers.map(outcome)).toEqual(answers.map(() => `${status} ${REFUSED}`))
        for (const { body } of answers) expect(body.result.description).toContain('invalid authentication information')
      })

      test.each<ExpectedOutcomes & { readonly body: Fields; readonly token: string }>([
        {
          title: 'authentication.entityId in place of entityId',
          body: withAuthenticationEntityId,
          token: sandboxToken,
          strict: invalid('entityId'),
          legacy: APPROVED,
        },
        {
          title: 'user and password in the body',
          body: { ...withAuthenticationEntityId, ...user },
          token: '',
          strict: `401 ${REFUSED}`,
          legacy: APPROVED,
        },
        {
          title: 'a wrong password in the body',
          body: { ...withAuthenticationEntityId, ...user, 'authentication.password': 'wrong' },
          token: '',
          strict: `401 ${REFUSED}`,
          legacy: `403 ${REFUSED}`,
        },
      ])('$title is answered according to the channel', async ({ body, token, ...outcomes }) => {
        expect(outcome(await wire.post('/v1/payments', body, { token }))).toBe(expectedOutcome(kind, outcomes))
      })

      test('a GET of a payment may omit entityId, and is refused with the entityId of another channel', async () => {
        const { id } = (await pay()).body
        const otherEntityId = kind === 'strict' ? entityOf.legacy : entityOf.strict
        expect(outcome(await wire.get(`/v1/payments/${id}`))).toBe(APPROVED)
        expect(outcome(await wire.get(`/v1/payments/${id}?entityId=${entityId}`))).toBe(APPROVED)
        expect(outcome(await wire.get(`/v1/payments/${id}?entityId=${otherEntityId}`))).toBe('400 700.400.700')
      })

      test('result codes, the OpenAPI document, health and the script of the widget need no token', async () => {
        const paths = ['/v1/resultcodes', '/openapi.json', '/healthz', '/v1/paymentWidgets.js?checkoutId=x']
        for (const path of paths) expect((await wire.get(path, { token: '' })).status).toBe(200)
      })
    })

    describe('decoding', () => {
      test.each<ExpectedOutcomes & { readonly appended: string }>([
        { title: 'an empty descriptor', appended: 'descriptor=', strict: APPROVED, legacy: APPROVED },
        { title: 'an empty street2', appended: 'billing.street2=', strict: APPROVED, legacy: APPROVED },
        { title: 'raw brackets', appended: 'customParameters[ORDER]=7', strict: APPROVED, legacy: APPROVED },
        { title: 'escaped brackets', appended: 'customParameters%5BORDER%5D=7', strict: APPROVED, legacy: APPROVED },
        ...['1', '0', 'True', 'False', 'TRUE', 'FALSE'].map((value) => ({
          title: `createRegistration=${value}`,
          appended: `createRegistration=${value}`,
          strict: invalid('createRegistration'),
          legacy: APPROVED,
        })),
        {
          title: 'the same value twice',
          appended: 'billing.state=CA&billing.state=CA',
          strict: invalid('billing.state'),
          legacy: APPROVED,
        },
        {
          title: 'another value the second time, once raw and once escaped',
          appended: 'customParameters[ORDER]=7&customParameters%5BORDER%5D=8',
          strict: invalid('customParameters[ORDER]'),
          legacy: APPROVED,
        },
        { title: 'recurringType', appended: 'recurringType=INITIAL', strict: APPROVED, legacy: APPROVED },
        { title: 'shipping.givenName', appended: 'shipping.givenName=Jane', strict: APPROVED, legacy: APPROVED },
        { title: 'threeDSecure.xid', appended: 'threeDSecure.xid=AAACAgSRBklm', strict: APPROVED, legacy: APPROVED },
        { title: 'shopperOrigin', appended: 'shopperOrigin=shop', strict: APPROVED, legacy: APPROVED },
        { title: 'EXTERNAL', appended: 'testMode=EXTERNAL', strict: EXTERNAL_APPROVED, legacy: EXTERNAL_APPROVED },
        {
          title: 'an unnormalised phone number',
          appended: 'customer.givenName=Jane&customer.surname=Jones&customer.phone=(0)30 / 12 ext. 5',
          strict: invalid('customer.phone'),
          legacy: APPROVED,
        },
        {
          title: 'an unnormalised mobile number',
          appended: 'customer.givenName=Jane&customer.surname=Jones&customer.mobile=0170 (office)',
          strict: invalid('customer.mobile'),
          legacy: APPROVED,
        },
        {
          title: 'a short merchantTransactionId',
          appended: 'merchantTransactionId=17',
          strict: invalid('merchantTransactionId'),
          legacy: APPROVED,
        },
      ])('$title is answered according to the channel', async ({ appended, ...outcomes }) => {
        expect(outcome(await payWith(appended))).toBe(expectedOutcome(kind, outcomes))
      })

      test('the last of two values is used on channels that accept both', async () => {
        const { body } = await payWith('customParameters[ORDER]=7&customParameters%5BORDER%5D=8')
        expect(Object(body).customParameters).toEqual(kind === 'strict' ? undefined : { ORDER: '8' })
      })

      test('an empty amount is treated as missing', async () => {
        const withoutAmount = await wire.post('/v1/payments', omit(debit(kind), 'amount'))
        const withEmptyAmount = await pay({ amount: '' })
        expect([withoutAmount, withEmptyAmount].map(outcome)).toEqual([invalid('amount'), invalid('amount')])
        expect(withEmptyAmount.body.result).toEqual(withoutAmount.body.result)
      })

      test.each<ExpectedOutcomes & { readonly changes: Fields }>([
        { title: 'an amount of whole units', changes: { amount: '10' }, strict: APPROVED, legacy: APPROVED },
        {
          title: 'an amount of 12 digits',
          changes: { amount: '123456789012' },
          strict: invalid('amount'),
          legacy: APPROVED,
          // The contract has ten digits: the other gateway refuses the payment.
          legacyBehind: invalid(),
        },
        { title: 'PA.CP', changes: { paymentType: 'PA.CP' }, strict: invalid('paymentType'), legacy: APPROVED },
        { title: 'no brand', changes: { paymentBrand: '' }, strict: APPROVED, legacy: APPROVED },
      ])('$title is answered according to the channel', async ({ changes, ...outcomes }) => {
        expect(outcome(await pay(changes))).toBe(expectedOutcome(kind, outcomes, gatewayKind))
      })

      test('the refusal of an unknown paymentType lists the types of the channel', async () => {
        const types = kind === 'strict' ? 'PA, DB, CD' : 'PA, DB, CD, PA.CP'
        expect((await pay({ paymentType: 'XX' })).body.result.parameterErrors).toEqual([
          { name: 'paymentType', value: 'XX', message: `must be one of [${types}]` },
        ])
      })

      test.each([
        { title: 'a slash at the end of the path', path: (path: string) => `${path}/` },
        { title: 'a slash at the end of the base URL', path: (path: string) => `/${path}` },
        { title: 'both slashes', path: (path: string) => `/${path}/` },
      ])('with $title, payments, queries, registrations and checkouts are served', async ({ path }) => {
        const paid = await wire.post(path('/v1/payments'), { ...debit(kind), createRegistration: 'true' })
        const { id, registrationId } = paid.body
        const answers = [
          paid,
          await wire.get(path(`/v1/payments/${id}`)),
          await wire.get(path(`/v1/query/${id}`)),
          await followUp(`${id}/`, 'RF'),
          await wire.post(path(`/v1/registrations/${registrationId}/extendlife`), { entityId }),
          await wire.send('DELETE', `${path(`/v1/registrations/${registrationId}`)}?entityId=${entityId}`),
          await wire.post(path('/v1/checkouts'), { entityId, amount: '1', currency: 'EUR', paymentType: 'DB' }),
        ]
        expect(answers.map(outcome)).toEqual([...Array.from({ length: 6 }, () => APPROVED), '200 000.200.100'])
      })

      test.each(['applePay', 'googlePay', 'samsungPay'])(
        '%s.source is accepted as a wallet’s source',
        async (wallet) => {
          const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }
          const fields = { ...omit(debit(kind), 'paymentBrand', 'card.holder', 'card.cvv'), ...proof }
          expect(outcome(await wire.post('/v1/payments', { ...fields, [`${wallet}.source`]: 'web' }))).toBe(APPROVED)
          const wrongSource = await wire.post('/v1/payments', { ...fields, [`${wallet}.source`]: 'phone' })
          expect(outcome(wrongSource)).toMatch(/^400 200\.300\.404 wallet[ABC]\.source$/)
        },
      )

      test.each(['IDEAL', 'SOFORTUEBERWEISUNG', 'PAYPAL', 'ALIPAY', 'EPS', 'TRUSTLY'])(
        '%s accepts all or none of the optional fields of redirect methods',
        async (paymentBrand) => {
          const fields = { ...omit(debit(kind), ...Object.keys(card)), paymentBrand, shopperResultUrl: SHOP }
          const optionalFields = {
            'bankAccount.country': 'NL',
            'bankAccount.bankName': 'ING',
            'bankAccount.bic': 'INGBNL2A',
            'bankAccount.iban': 'NL91ABNA0417164300',
            'bankAccount.holder': 'Jane Jones',
            'customer.email': 'jane@jones.example',
            'billing.country': 'NL',
            merchantTransactionId: 'order-4711',
          }
          for (const body of [fields, { ...fields, ...optionalFields }]) {
            const answer = await wire.post('/v1/payments', body)
            expect(outcome(answer)).toBe('200 000.200.000')
            expect(answer.body.redirect.url).toMatch(/^https?:\/\//)
            expect(answer.body).toMatchObject({ redirect: { parameters: [] } })
          }
        },
      )
    })

    describe('responses', () => {
      test('every answer, errors included, has the fields that clients read, and no entityId', async () => {
        const answers = [
          await pay(),
          await pay({ amount: 'x' }),
          await pay({ 'card.holder': '{800.100.151}' }),
          await wire.get('/v1/unknown'),
          await wire.get(`/v1/payments/${UNKNOWN_ID}`),
          await wire.post('/v1/payments', debit(kind), { token: '' }),
          await wire.post('/v1/payments', debit(kind), { token: 'wrong' }),
          await wire.send('PUT', '/v1/payments'),
        ]
        expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 404, 404, 401, 403, 405])
        for (const { headers, text, body } of answers) {
          expect(headers['content-type']).toBe('application/json;charset=UTF-8')
          expect(body).toMatchObject({
            result: { code: expect.stringMatching(/^\d{3}\.\d{3}\.\d{3}$/), description: expect.any(String) },
            buildNumber: expect.stringMatching(/^[0-9a-f]{40}@\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000$/),
            timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+0000$/),
            ndc: expect.stringMatching(/^[0-9a-f]{32}_[0-9a-f]{32}$/),
            id: expect.any(String),
          })
          expect(text).not.toContain(entityId)
        }
      })

      test('a refusal lists all invalid parameters, with masked secrets', async () => {
        const { body } = await pay({ amount: 'x', 'card.number': '42x', 'card.cvv': '12a' })
        expect(body.result.parameterErrors).toEqual([
          { name: 'amount', value: 'x', message: expect.stringMatching(/^must match \^.*\$$/) },
          { name: 'card.number', value: '***', message: expect.stringMatching(/^must match \^.*\$$/) },
          { name: 'card.cvv', value: '***', message: expect.stringMatching(/^must match \^.*\$$/) },
        ])
        expect(JSON.stringify(body.result)).not.toMatch(/42x|12a/)
      })

      test('the refusal of an invalid value has a code of its own, unless the value is malformed', async () => {
        const account = { 'bankAccount.holder': 'Jane Jones', 'bankAccount.iban': 'DE00370400440532013000' }
        const money = omit(debit(kind), ...Object.keys(card))
        const sepa = { ...money, paymentBrand: 'DIRECTDEBIT_SEPA', ...account }
        expect(outcome(await wire.post('/v1/payments', sepa))).toBe('400 100.200.104')
        expect(outcome(await pay({ 'card.expiryYear': '2019' }))).toBe('400 100.100.303')
        expect(outcome(await pay({ 'card.number': '4200000000000001' }))).toBe('400 100.100.101')
        expect(outcome(await pay({ 'card.expiryMonth': '13' }))).toBe(invalid('card.expiryMonth'))
      })

      test('the refusal of a payment without a card says that card properties must be set', async () => {
        const { body } = await wire.post('/v1/payments', omit(debit(kind), ...Object.keys(card)))
        const messages = new Set(body.result.parameterErrors?.map(({ message }) => message))
        expect(messages).toEqual(new Set(['card properties must be set']))
      })

      test('a follow-up is answered with its reference, approved or not', async () => {
        const { id } = (await pay({ paymentType: 'PA' })).body
        const captured = await followUp(id, 'CP')
        const answers = [
          captured,
          await followUp(captured.body.id, 'RF', { amount: '4.00', currency: 'EUR' }),
          await followUp(captured.body.id, 'RF'),
          await followUp(id, 'RV', { amount: '' }),
          await followUp(id, 'RV', {}),
        ]
        expect(answers.map((answer) => [outcome(answer), answer.body.amount])).toEqual([
          [APPROVED, '10.00'],
          [APPROVED, '4.00'],
          ['400 700.400.200', '10.00'],
          [APPROVED, '82.00'],
          ['400 700.400.300', expect.any(String)],
        ])
        for (const { body } of answers) {
          expect(body).toMatchObject({
            referencedId: expect.stringMatching(/^[0-9a-f]{32}$/),
            paymentType: expect.stringMatching(/^(?:CP|RF|RV)$/),
            currency: 'EUR',
            descriptor: expect.stringMatching(/^\d{4}\.\d{4}\.\d{4} Sandbox/),
            resultDetails: { ExtendedDescription: expect.any(String) },
          })
        }
      })

      test('a debit is reversed without amount and currency, and a rebill has a referencedId', async () => {
        const { id } = (await pay()).body
        const rebilled = await followUp(id, 'RB')
        expect([outcome(rebilled), rebilled.body.referencedId]).toEqual([APPROVED, id])
        const reversed = await followUp(id, 'RV', {})
        expect(outcome(reversed)).toBe(APPROVED)
        expect(reversed.body).toMatchObject({ referencedId: id, amount: '92.00', currency: 'EUR' })
      })

      test('a declined payment is answered with HTTP 400 and a complete body', async () => {
        const declined = await pay({ 'card.number': '4000000000000002' })
        expect(outcome(declined)).toBe('400 800.100.152')
        expect(declined.body).toMatchObject({ id: expect.any(String), amount: '92.00', card: { last4Digits: '0002' } })
        expect(outcome(await wire.get(`/v1/payments/${declined.body.id}`))).toBe('200 800.100.152')
      })
    })

    describe('an unknown or unsuitable reference', () => {
      test.each([
        { paymentType: 'CP', code: '700.400.510' },
        { paymentType: 'RV', code: '700.400.530' },
        { paymentType: 'RF', code: '600.200.500' },
      ])(
        '$paymentType is answered with 404 $code for an unknown id, 400 $code for a refund, and 400 without an id',
        async ({ paymentType, code }) => {
          expect(outcome(await followUp(UNKNOWN_ID, paymentType))).toBe(`404 ${code}`)
          const { id } = (await pay()).body
          const refund = await followUp(id, 'RF', { amount: '1.00', currency: 'EUR' })
          expect(outcome(await followUp(refund.body.id, paymentType))).toBe(`400 ${code}`)
          const withoutId = { entityId, paymentType, amount: '1.00', currency: 'EUR' }
          expect(outcome(await wire.post('/v1/payments/', withoutId))).toMatch(/^400 200\.300\.404 .*\bpaymentType$/)
        },
      )

      test('a refund by the id of a captured preauthorisation is accepted only on legacy channels', async () => {
        const { id } = (await pay({ paymentType: 'PA' })).body
        expect(outcome(await followUp(id, 'RF'))).toBe('400 700.400.520')
        await followUp(id, 'CP')
        const outcomes = { title: '', strict: '400 700.400.520', legacy: APPROVED }
        expect(outcome(await followUp(id, 'RF'))).toBe(expectedOutcome(kind, outcomes))
      })

      test.each([
        `/v1/payments/${UNKNOWN_ID}`,
        `/v1/query/${UNKNOWN_ID}`,
        '/v1/query?merchantTransactionId=unknown-order',
      ])('GET %s is answered with 404', async (path) => {
        expect(outcome(await wire.get(path))).toBe('404 700.400.580')
      })
    })

    describe('phrases', () => {
      const euros = { amount: '1.00', currency: 'EUR' }
      test.each([
        { phrase: "Request successfully processed in 'Merchant in Integrator Test Mode'", send: () => pay() },
        {
          phrase: "Request successfully processed in 'Merchant in Connector Test Mode'",
          send: () => pay({ testMode: 'EXTERNAL' }),
        },
        { phrase: 'successful request', send: () => wire.get('/v1/resultcodes', { token: '' }) },
        {
          phrase: 'transaction pending',
          send: () => {
            const fields = omit(debit(kind), ...Object.keys(card))
            return wire.post('/v1/payments', { ...fields, paymentBrand: 'IDEAL', shopperResultUrl: SHOP })
          },
        },
        {
          phrase: 'successfully created checkout',
          send: () => wire.post('/v1/checkouts', { entityId, ...euros, paymentType: 'DB' }),
        },
        {
          phrase: 'invalid creditcard, bank account number or bank name',
          send: () => pay({ 'card.number': '4200000000000001' }),
        },
        {
          phrase: 'capture needs at least one successful transaction of type (PA)',
          send: () => followUp(UNKNOWN_ID, 'CP'),
        },
        {
          phrase: 'reversal needs at least one successful transaction of type (CP or DB or RB or PA)',
          send: () => followUp(UNKNOWN_ID, 'RV'),
        },
        { phrase: 'Invalid payment data. You are not configured', send: () => followUp(UNKNOWN_ID, 'RF') },
        {
          phrase: 'invalid Payment Method',
          send: () => wire.post('/v1/payments', { ...omit(debit(kind), ...Object.keys(card)), paymentBrand: 'NONE' }),
        },
        { phrase: 'invalid or missing parameter', send: () => pay({ amount: 'x' }) },
        { phrase: 'cannot find transaction', send: () => wire.get(`/v1/payments/${UNKNOWN_ID}`) },
        {
          phrase: 'transaction declined (invalid card)',
          send: () => pay({ 'customParameters[forceResultCode]': '800.100.151' }),
        },
        { phrase: 'invalid authentication information', send: () => wire.get('/v1/query', { token: 'wrong' }) },
      ])('a description contains “$phrase”', async ({ phrase, send }) => {
        expect((await send()).body.result.description).toContain(phrase)
      })
    })
  })
})
