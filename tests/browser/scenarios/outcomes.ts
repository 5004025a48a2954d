import { expect } from 'vitest'
import { eventually, message, type Shopper, textsOf } from '../shopper.ts'

export const approved = { outcome: 'approved', code: '000.100.110' } as const
export const approvedLate = { outcome: 'approved', code: '000.600.000' } as const
export const declined = { outcome: 'declined', code: '800.100.152' } as const
export const expired = { outcome: 'declined', code: '100.396.103' } as const

/** Expects the message of a pending payment in the place of the forms. */
export const expectPendingMessage = async (shopper: Shopper, text: string): Promise<void> => {
  await eventually(async () => (await message(shopper).innerText()).split('\n')[0], text)
  expect(await shopper.page.locator('.wpwl-form').filter({ visible: true }).count()).toBe(0)
}

export const chooseOtherMethod = (shopper: Shopper): Promise<void> =>
  shopper.page.getByRole('button', { name: textsOf(shopper).otherMethod }).click()
