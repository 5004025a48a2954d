import { describe, expect, it } from 'vitest'
import {
  cartesBancairesRequest,
  cartesBancairesResponse,
  readCartesBancairesItem,
  readCartesBancairesResponse,
} from './cartes-bancaires.ts'
import { authenticatedAmount, readAuthenticatedAmount, readSimulatorOptions, simulatorOptions } from './simulator.ts'

describe('extensions', () => {
  it('of a request to Cartes Bancaires contain the merchant’s data', () => {
    const extensions = cartesBancairesRequest({ 'CB-ITEMSNB': '03', 'CB-USECASE': '01' })
    expect(extensions.map(({ id }) => id)).toEqual(['A000000042_CB-ITEMSNB', 'A000000042_CB-USECASE'])
    expect(readCartesBancairesItem(extensions, 'CB-ITEMSNB')).toBe('03')
    expect(readCartesBancairesItem(extensions, 'CB-SCORE_MERCHANT')).toBeUndefined()
  })

  it('of a response of Cartes Bancaires are read; malformed extensions are ignored', () => {
    const answer = { algorithm: '4', exemption: 'AAAA', score: '42' }
    expect(readCartesBancairesResponse(cartesBancairesResponse(answer))).toEqual(answer)
    expect(
      readCartesBancairesResponse(cartesBancairesResponse({ algorithm: '9', exemption: 'A', score: '100' })),
    ).toEqual({
      algorithm: undefined,
      exemption: undefined,
      score: undefined,
    })
    expect(readCartesBancairesResponse(undefined).score).toBeUndefined()
  })

  it('for the simulator contain the merchant’s options; malformed options are ignored', () => {
    expect(readSimulatorOptions([simulatorOptions({ enrolled: true, flow: 'challenge' })])).toEqual({
      enrolled: true,
      flow: 'challenge',
    })
    const malformed = {
      name: 'x',
      id: 'tollgate.simulator',
      criticalityIndicator: false,
      data: { enrolled: 1, flow: 'up' },
    }
    expect(readSimulatorOptions([malformed])).toEqual({ enrolled: undefined, flow: undefined })
    expect(readSimulatorOptions(undefined)).toEqual({ enrolled: undefined, flow: undefined })
  })

  it('of the simulator contain the authenticated amount', () => {
    const amount = { purchaseAmount: '1234', purchaseCurrency: '978' }
    expect(readAuthenticatedAmount([authenticatedAmount(amount)])).toEqual(amount)
    expect(readAuthenticatedAmount([simulatorOptions({ enrolled: true })])).toBeUndefined()
  })
})
