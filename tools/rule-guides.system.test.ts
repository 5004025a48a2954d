import { describe, expect, test } from 'vitest'
import { readDocument } from './guides/examples.ts'
import { runGuide, runOperator } from './guides/run-guide.ts'
import { gatewayFor } from './guides/running-gateway.ts'

// Tests of the guides whose files and commands set rules of a running gateway.

describe('the guide to risk', () => {
  const gateway = gatewayFor('risk-guide')

  test('shows rules, commands that work in sequence, and their answers', async () => {
    const steps = await runGuide(readDocument('docs/guides/risk.md'), gateway)
    expect(steps.join(' ')).toBe(
      'rules.json tollgate tollgate rules-by-shop.json tollgate tollgate ENTITY TOKEN curl answer curl answer tollgate',
    )
  })
})

describe('the guide to routing', () => {
  const gateway = gatewayFor('routing-guide')
  const [connectors = '', rest = ''] = readDocument('docs/guides/routing.md').split(/^(?=## Routes$)/m)

  test('shows a connector, routes, their test and a payment, with commands that work in sequence', async () => {
    const port = /acquirer \(ISO 8583\) \S+:(\d+)/.exec(gateway.running().printed)?.[1] ?? ''
    const created = await runGuide(connectors, gateway, (text) => text.replace('8084', port))
    expect(created.join(' ')).toBe('acme.json tollgate tollgate tollgate')
    const show = () => runOperator(gateway.running(), ['connector', 'show', 'acme'], gateway.data)
    await expect.poll(show, { timeout: 20_000 }).toMatchObject({ isHealthy: true })
    expect((await runGuide(rest, gateway)).join(' ')).toBe(
      'routes.json tollgate tollgate tollgate answer ENTITY TOKEN curl answer' + ' tollgate'.repeat(5),
    )
    expect(await runOperator(gateway.running(), ['connector', 'list'], gateway.data)).toMatchObject({ total: 0 })
  })
})
