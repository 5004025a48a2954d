import type { Shop } from './context.ts'
import { outcomeOf } from './outcome.ts'
import { subscription } from './store/catalogue.ts'
import type { Order } from './store/orders.ts'

/**
 * Schedules the later months after the payment of the first month. The gateway charges them on the first day of each
 * month at nine in the morning.
 */
export async function scheduleMonths({ gateway }: Shop, order: Order): Promise<void> {
  const { id, customer, amount, currency, registrationId } = order
  const parameters = {
    registrationId,
    paymentType: 'DB',
    amount,
    currency,
    'job.name': subscription.name,
    'job.dayOfMonth': '1',
    'job.month': '*',
    'job.hour': '9',
  }
  const schedule = await gateway.post('/scheduling/v1/schedules', parameters, `${id}-schedule`)
  const card = customer.cards.find((storedCard) => storedCard.registrationId === registrationId)
  if (!card || schedule.id === undefined || outcomeOf(schedule.result.code) !== 'approved') {
    // A real shop alerts its staff: the customer has paid for a subscription that is not scheduled.
    process.stderr.write(`shop: ${id} has no schedule: ${schedule.result.code} ${schedule.result.description}\n`)
    return
  }
  customer.subscriptions = [{ scheduleId: schedule.id, card }, ...customer.subscriptions]
}
