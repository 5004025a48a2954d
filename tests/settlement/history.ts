import { randomOf } from '../support/random.ts'
import type { Installation } from './installation.ts'
import { createRequests } from './requests.ts'
import type { Dispute, Happened, Transaction } from './transactions.ts'
import { createTurn, type Turn } from './turn.ts'

/** Random payments, with their disputes at the acquirers, as requests and answers show them. */
export interface History extends Happened {
  /** Makes payments, and follow-ups of earlier ones. The clock moves on by up to `pauseMs` for each of them. */
  readonly pay: (count: number, pauseMs: number) => Promise<void>
}

/** The number of turns at once. */
const CONCURRENT = 6
/** The number of newest transactions that get follow-ups. */
const RECENT = 120
/** The time after which a message without an answer has been repeated. */
const PENDING_MINUTES = 6
/** The number of rounds of turns between captures whose answer is lost. */
const LATE_ROUNDS = 60

export function createHistory(installation: Installation, seed: number): History {
  const { tollgate, merchants } = installation
  const requests = createRequests(installation)
  const transactions: Transaction[] = []
  const disputes: Dispute[] = []
  const happened = { transactions, disputes }
  let [turns, numbers] = [0, 0]

  function nextTurn() {
    turns += 1
    const random = randomOf(seed, turns)
    const nextNumber = () => (numbers += 1)
    const now = () => tollgate.gateway.clock.now()
    const turn = createTurn({ random, requests, merchants: merchants.length, happened, number: turns, nextNumber, now })
    return { random, turn }
  }

  /** Runs turns at once, each about another payment, and records them in the order of the turns. */
  async function round(): Promise<void> {
    const isOpen = ({ status, isReversed }: Transaction) => status === 'approved' && !isReversed
    const recent = transactions.slice(-RECENT).filter(isOpen)
    const busy = new Set<string>()
    const running: Promise<Turn>[] = []
    for (let count = 0; count < CONCURRENT; count += 1) {
      const { random, turn } = nextTurn()
      const subject = recent.length > 0 && random.chance(0.5) ? random.pick(recent) : undefined
      if (subject && busy.has(subject.rootId)) continue
      if (subject) busy.add(subject.rootId)
      running.push((subject ? turn.followUp(subject) : turn.begin()).then(() => turn))
    }
    for (const turn of await Promise.all(running)) add(turn)
  }

  function add(turn: Turn): void {
    transactions.push(...turn.transactions)
    disputes.push(...turn.disputes)
  }

  /** Moves the clock, runs the jobs that become due, and reads the pending transactions. */
  async function advance(minutes: number): Promise<void> {
    const { status, text } = await tollgate.manage('POST', '/clock', { advance: `PT${minutes}M` })
    if (status !== 200) throw new Error(text)
    for (const transaction of transactions) if (transaction.status === 'pending') await requests.read(transaction)
  }

  async function captureLate(): Promise<void> {
    const { turn } = nextTurn()
    await turn.captureLate()
    add(turn)
  }

  let rounds = 0
  return {
    ...happened,
    async pay(count, pauseMs) {
      const until = transactions.length + count
      while (transactions.length < until) {
        await round()
        rounds += 1
        tollgate.clock.nowMs += 1_000 + randomOf(seed, -turns).below(CONCURRENT * pauseMs)
        if (rounds % LATE_ROUNDS === LATE_ROUNDS / 2) await captureLate()
        while (transactions.some(({ status }) => status === 'pending')) await advance(PENDING_MINUTES)
      }
    },
  }
}
