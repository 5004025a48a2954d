import { monthlyPlan, type Parameters, type TestAnswer, type TestGateway } from '@tollgate/gateway/testing'

export const PATH = '/scheduling/v1/schedules'
export const DONE = [200, '000.100.110']
/** An id that no plan and no registration has. */
export const UNKNOWN = '0'.repeat(32)

/** Requests about plans of a registration. */
export interface PlanRequests {
  readonly plan: (changes?: Parameters) => Promise<TestAnswer>
  readonly read: (id: string, changes?: Parameters) => Promise<TestAnswer>
  readonly reschedule: (id: string, changes?: Parameters) => Promise<TestAnswer>
  readonly deschedule: (id: string, changes?: Parameters) => Promise<TestAnswer>
}

export const planRequests = ({ send }: TestGateway, registration: string): PlanRequests => ({
  plan: (changes) => send('POST', PATH, monthlyPlan(registration, changes)),
  read: (id, changes) => send('GET', `${PATH}/${id}`, changes),
  reschedule: (id, changes) => send('POST', `${PATH}/${id}/reschedule`, changes),
  deschedule: (id, changes) => send('POST', `${PATH}/${id}/deschedule`, changes),
})
