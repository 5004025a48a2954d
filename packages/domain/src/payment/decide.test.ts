import { DAY_MS, resultCodes } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { formatAmount } from '../money.ts'
import { limits, paymentLimits } from '../limits.ts'
import type { Command } from './command.ts'
import { decide } from './decide.ts'
import { exampleTree, parseLine } from '../testing/example-tree.ts'
import type { Transaction } from './transaction.ts'

type Row = [rule: string, lines: readonly string[], nextLine: string, outcome: string, changes?: Changes]

interface Changes {
  readonly command?: Partial<Command>
  readonly root?: Partial<Transaction>
}

const increment = { command: { incremental: true } }
const stored = { command: { isAccountAvailable: true } }
const bank = { command: { rights: ['chargeback'] } } as const
const system = { command: { rights: ['system'] } } as const
const live = { testMode: null }
const enormous = { amountMinor: limits.amountMinorMax }

/** Transactions of a payment, the next transaction, and its outcome: the accepted amount, or the refusal's code. */
const examples: Row[] = [
  // Guards of every reference to another transaction
  ['a channel other than the payment’s', ['PA 92.00'], 'CP 92.00', '700.400.700', { command: { channel: 'other' } }],
  ['a rejected transaction', ['PA 92.00 NOK'], 'CP 92.00', '700.300.200'],
  ['a rejected capture', ['PA 92.00', 'CP 60.00 NOK'], 'RF 60.00 of 2', '700.300.200'],
  ['a pending transaction', ['PA 92.00 PENDING'], 'CP 92.00', '700.400.570'],
  ['a test mode that differs', ['PA 92.00'], 'CP 92.00', '700.100.600', { command: { testMode: 'EXTERNAL' } }],
  [
    'a test mode on a live payment',
    ['PA 92.00'],
    'CP 92.00',
    '700.100.600',
    { root: live, command: { testMode: 'INTERNAL' } },
  ],
  ['the same test mode', ['PA 92.00'], 'CP 92.00', '92.00', { command: { testMode: 'INTERNAL' } }],
  ['a method that differs', ['PA 92.00'], 'CP 92.00', '700.100.400', { command: { method: 'DD' } }],
  ['the same method', ['PA 92.00'], 'CP 92.00', '92.00', { command: { method: 'CC' } }],
  ['a currency that differs', ['PA 92.00'], 'CP 92.00', '700.100.500', { command: { currency: 'USD' } }],
  ['a reversal without a currency', ['PA 92.00'], 'RV', '92.00'],
  ['a capture of a debit', ['DB 92.00'], 'CP 92.00', '700.400.510'],
  ['an increment, captured by itself', ['PA 92.00', 'PA 10.00'], 'CP 10.00 of 2', '700.300.100'],
  ['an increment, reversed by itself', ['PA 92.00', 'PA 10.00'], 'RV 10.00 of 2', '700.300.100'],
  ['a chargeback on the last day for operations', ['DB 92.00'], 'CB 92.00 on day 540', '92.00', system],
  ['a chargeback after the last day for operations', ['DB 92.00'], 'CB 92.00 on day 540.1', '700.300.700', system],
  ['one transaction too many', ['PA 92.00', ...Array<string>(199).fill('CP 1.00 NOK')], 'CP 1.00', '700.500.001'],
  ['the last transaction of a payment', ['PA 92.00', ...Array<string>(198).fill('CP 1.00 NOK')], 'CP 1.00', '1.00'],
  // The order of the guards of references
  ['the channel before the status', ['PA 92.00 NOK'], 'CP 92.00', '700.400.700', { command: { channel: 'other' } }],
  ['the status before the currency', ['PA 92.00 NOK'], 'CP 92.00', '700.300.200', { command: { currency: 'USD' } }],
  ['the currency before the type', ['DB 92.00'], 'CP 92.00', '700.100.500', { command: { currency: 'USD' } }],

  // Capture
  ['a full capture', ['PA 92.00'], 'CP 92.00', '92.00'],
  ['a partial capture', ['PA 92.00', 'CP 60.00'], 'CP 32.00', '32.00'],
  ['a cent more than authorised', ['PA 92.00', 'CP 60.00'], 'CP 32.01', '700.400.100'],
  ['a capture of zero', ['PA 92.00'], 'CP 0.00', '700.400.100'],
  ['a capture without an amount', ['PA 92.00'], 'CP', '700.400.100'],
  ['an account verification', ['PA 0.00'], 'CP 1.00', '700.400.100'],
  ['a reversed authorisation', ['PA 92.00', 'RV 92.00'], 'CP 1.00', '700.300.300'],
  ['the remaining amount after a partial reversal', ['PA 92.00', 'RV 50.00'], 'CP 42.00', '42.00'],
  ['more than the remaining amount after a partial reversal', ['PA 92.00', 'RV 50.00'], 'CP 42.01', '700.400.100'],
  ['a failed reversal changes nothing', ['PA 92.00', 'RV 92.00 NOK'], 'CP 92.00', '92.00'],
  ['a failed capture changes nothing', ['PA 92.00', 'CP 92.00 NOK'], 'CP 92.00', '92.00'],
  ['a pending capture reserves its amount', ['PA 92.00', 'CP 60.00 PENDING'], 'CP 32.01', '700.400.100'],
  ['a pending reversal reserves its amount', ['PA 92.00', 'RV 92.00 PENDING'], 'CP 1.00', '700.400.100'],
  ['a capture after the final capture', ['PA 92.00', 'CP 60.00 FINAL'], 'CP 1.00', '700.300.300'],
  ['a reversed capture reopens the hold', ['PA 92.00', 'CP 92.00', 'RV 92.00 of 2'], 'CP 92.00', '92.00'],
  ['a reversed final capture', ['PA 92.00', 'CP 92.00 FINAL', 'RV 92.00 of 2'], 'CP 92.00', '700.300.300'],
  ['a pending reversal of a capture', ['PA 92.00', 'CP 92.00', 'RV 92.00 of 2 PENDING'], 'CP 92.00', '700.400.100'],
  ['the last moment of the authorisation', ['PA 92.00'], 'CP 92.00 on day 6.99', '92.00'],
  ['an expired authorisation', ['PA 92.00'], 'CP 92.00 on day 7', '700.300.400'],
  ['an authorisation without an end', ['PA 92.00'], 'CP 92.00 on day 500', '92.00', { root: { facts: {} } }],
  ['the last permitted capture', ['PA 92.00 in 2', 'CP 1.00'], 'CP 1.00', '1.00'],
  ['one capture too many', ['PA 92.00 in 2', 'CP 1.00', 'CP 1.00'], 'CP 1.00', '700.400.100'],
  ['a pending capture counts', ['PA 92.00 in 1', 'CP 1.00 PENDING'], 'CP 1.00', '700.400.100'],
  ['a failed capture does not count', ['PA 92.00 in 1', 'CP 1.00 NOK'], 'CP 1.00', '1.00'],
  ['a reversed capture does not count', ['PA 92.00 in 1', 'CP 1.00', 'RV of 2'], 'CP 1.00', '1.00'],
  ['the 98th capture', ['PA 98.00', ...Array<string>(97).fill('CP 1.00')], 'CP 1.00', '1.00'],
  ['the 99th capture', ['PA 99.00', ...Array<string>(98).fill('CP 1.00')], 'CP 1.00', '700.400.100'],

  // Reversal of a preauthorisation
  ['a reversal without an amount', ['PA 92.00'], 'RV', '92.00'],
  ['a reversal without an amount, after a capture', ['PA 92.00', 'CP 60.00'], 'RV', '32.00'],
  ['a reversal in two parts', ['PA 92.00', 'RV 50.00'], 'RV 42.00', '42.00'],
  ['a reversal of more than the open amount', ['PA 92.00', 'CP 60.00'], 'RV 92.00', '700.400.300'],
  ['a reversal while another one is pending', ['PA 92.00', 'RV 50.00 PENDING'], 'RV 42.00', '800.700.100'],
  ['a reversal while an increment is pending', ['PA 92.00', 'PA 10.00 PENDING'], 'RV 92.00', '800.700.100'],
  ['a reversal after a failed increment', ['PA 92.00', 'PA 10.00 NOK'], 'RV 92.00', '92.00'],
  ['a reversal while a capture is pending', ['PA 92.00', 'CP 50.00 PENDING'], 'RV 42.00', '42.00'],
  ['a reversal of zero', ['PA 92.00'], 'RV 0.00', '700.400.300'],
  ['a reversed hold, reversed', ['PA 92.00', 'RV 92.00'], 'RV', '700.400.300'],
  ['a captured hold, reversed', ['PA 92.00', 'CP 92.00'], 'RV', '700.400.300'],
  ['a hold closed by a final capture, reversed', ['PA 92.00', 'CP 60.00 FINAL'], 'RV', '700.400.300'],
  ['an expired hold, reversed', ['PA 92.00'], 'RV on day 7', '700.400.300'],
  ['an account verification, reversed', ['PA 0.00'], 'RV', '700.400.300'],

  // Reversal of a debit or capture
  ['a debit, reversed', ['DB 92.00'], 'RV', '92.00'],
  ['a debit, reversed with its amount', ['DB 92.00'], 'RV 92.00', '92.00'],
  ['a capture, reversed', ['PA 92.00', 'CP 60.00'], 'RV of 2', '60.00'],
  ['a part of a debit, reversed', ['DB 92.00'], 'RV 50.00', '700.400.300'],
  ['a reversed debit, reversed', ['DB 92.00', 'RV 92.00'], 'RV', '700.300.300'],
  ['a debit with a pending reversal, reversed', ['DB 92.00', 'RV 92.00 PENDING'], 'RV', '700.300.300'],
  ['a refunded debit, reversed', ['DB 92.00', 'RF 1.00'], 'RV', '700.300.300'],
  ['a debit with a pending refund, reversed', ['DB 92.00', 'RF 1.00 PENDING'], 'RV', '700.300.300'],
  ['a debit at the clearing cut-off, reversed', ['DB 92.00'], 'RV on day 1', '92.00'],
  ['a debit after the clearing cut-off, reversed', ['DB 92.00'], 'RV on day 1.01', '700.300.700'],
  ['a payout, reversed', ['CD 92.00'], 'RV', '700.400.530'],

  // Refund
  ['a debit, refunded', ['DB 92.00'], 'RF 92.00', '92.00'],
  ['a payout, refunded', ['CD 92.00'], 'RF 92.00', '92.00'],
  ['a capture, refunded in parts', ['PA 92.00', 'CP 60.00', 'RF 50.00 of 2'], 'RF 10.00 of 2', '10.00'],
  [
    'a refund above the remaining amount of the capture',
    ['PA 92.00', 'CP 60.00', 'RF 50.00 of 2'],
    'RF 10.01 of 2',
    '700.400.200',
  ],
  ['a refund of more than its own capture', ['PA 92.00', 'CP 60.00', 'CP 30.00'], 'RF 30.01 of 3', '700.400.200'],
  ['a preauthorisation, refunded', ['PA 92.00', 'CP 92.00'], 'RF 92.00', '700.400.520'],
  ['a refund, refunded', ['DB 92.00', 'RF 10.00'], 'RF 10.00 of 2', '600.200.500'],
  ['a reversed debit, refunded', ['DB 92.00', 'RV 92.00'], 'RF 1.00', '700.400.520'],
  ['a pending reversal reserves the whole amount', ['DB 92.00', 'RV 92.00 PENDING'], 'RF 1.00', '700.400.200'],
  ['a pending refund reserves its amount', ['DB 92.00', 'RF 92.00 PENDING'], 'RF 1.00', '700.400.200'],
  ['a failed refund changes nothing', ['DB 92.00', 'RF 92.00 NOK'], 'RF 92.00', '92.00'],
  ['a refund of zero', ['DB 92.00'], 'RF 0.00', '100.550.300'],
  ['a refund without an amount', ['DB 92.00'], 'RF', '100.550.300'],
  ['a refund on the last day of the window', ['DB 92.00'], 'RF 92.00 on day 365', '92.00'],
  ['a refund after the window', ['DB 92.00'], 'RF 92.00 on day 365.1', '700.300.700'],

  ['a rebill, refunded', ['DB 92.00', 'RB 10.00'], 'RF 10.00 of 2', '10.00'],
  ['a receipt, refunded', ['PA 92.00', 'RC 10.00'], 'RF 10.00 of 2', '10.00'],
  ['a receipt, refunded with more than its amount', ['PA 92.00', 'RC 10.00'], 'RF 10.01 of 2', '700.400.200'],
  ['a charged back debit, refunded', ['DB 92.00', 'CB 10.00'], 'RF 1.00', '700.300.600'],
  ['a refund with a partly reversed chargeback', ['DB 92.00', 'CB 10.00', 'CR 9.00 of 2'], 'RF 1.00', '700.300.600'],
  ['a chargeback before the amount', ['DB 92.00', 'CB 10.00'], 'RF 0.00', '700.300.600'],
  ['a refund after the chargeback is reversed', ['DB 92.00', 'CB 10.00', 'CR 10.00 of 2'], 'RF 92.00', '92.00'],
  [
    'a refund after a second chargeback',
    ['DB 92.00', 'CB 9.00', 'CR 9.00 of 2', 'CB 9.00 of 3'],
    'RF 1.00',
    '700.300.600',
  ],
  ['a refund beside a charged back capture', ['PA 9.00', 'CP 5.00', 'CP 4.00', 'CB 5.00 of 2'], 'RF 4.00 of 3', '4.00'],
  ['a refund beside a returned refund', ['DB 9.00', 'RF 5.00', 'CB 5.00 of 2'], 'RF 4.00', '4.00'],
  ['a returned refund stays deducted', ['DB 9.00', 'RF 5.00', 'CB 5.00 of 2'], 'RF 4.01', '700.400.200'],
  ['a refund after the final refund', ['DB 92.00', 'RF 10.00 FINAL'], 'RF 1.00', '700.300.300'],
  ['a refund after a pending final refund', ['DB 92.00', 'RF 10.00 PENDING FINAL'], 'RF 1.00', '700.300.300'],
  ['a failed final refund closes nothing', ['DB 92.00', 'RF 10.00 NOK FINAL'], 'RF 92.00', '92.00'],
  ['the final refund before the amount', ['DB 92.00', 'RF 10.00 FINAL'], 'RF 92.00', '700.300.300'],
  ['a chargeback before the final refund', ['DB 9.00', 'RF 5.00 FINAL', 'CB 4.00'], 'RF 1.00', '700.300.600'],
  [
    'a refund of another capture after the final refund',
    ['PA 9.00', 'CP 5.00', 'CP 4.00', 'RF 1.00 of 2 FINAL'],
    'RF 4.00 of 3',
    '4.00',
  ],
  ['a rebill after the final refund', ['DB 92.00', 'RF 10.00 FINAL'], 'RB 1.00', '1.00', stored],
  ['a chargeback after the final refund', ['DB 92.00', 'RF 10.00 FINAL'], 'CB 82.00', '82.00', bank],

  // Rebill
  ['a rebill of a debit', ['DB 92.00'], 'RB 500.00', '500.00', stored],
  ['a rebill of a capture', ['PA 92.00', 'CP 60.00'], 'RB 1.00 of 2', '1.00', stored],
  ['a rebill after a refund', ['DB 92.00', 'RF 92.00'], 'RB 92.00', '92.00', stored],
  ['a rebill after a chargeback', ['DB 92.00', 'CB 92.00'], 'RB 92.00', '92.00', stored],
  ['a rebill of a preauthorisation', ['PA 92.00'], 'RB 1.00', '700.400.520', stored],
  ['a rebill of a rebill', ['DB 92.00', 'RB 1.00'], 'RB 1.00 of 2', '700.400.520', stored],
  ['a rebill of a payout', ['CD 92.00'], 'RB 1.00', '700.400.520', stored],
  ['a rebill of a reversed debit', ['DB 92.00', 'RV 92.00'], 'RB 1.00', '700.400.520', stored],
  ['a rebill without an account', ['DB 92.00'], 'RB 1.00', '700.500.004'],
  ['the reversal before the account', ['DB 92.00', 'RV 92.00'], 'RB 1.00', '700.400.520'],
  ['the account before the amount', ['DB 92.00'], 'RB 0.00', '700.500.004'],
  ['a rebill of zero', ['DB 92.00'], 'RB 0.00', '100.550.300', stored],
  ['a rebill above the maximum', ['DB 92.00'], 'RB 1.00', '100.550.301', { root: enormous, ...stored }],
  ['a reversed rebill, reversed', ['DB 92.00', 'RB 10.00', 'RV of 2'], 'RV of 2', '700.300.300'],
  ['a rebill, reversed', ['DB 92.00', 'RB 10.00'], 'RV of 2', '10.00'],
  ['a rebill, reversed late', ['DB 92.00', 'RB 10.00'], 'RV of 2 on day 1.01', '700.300.700'],

  // Chargeback
  ['a chargeback of a debit', ['DB 92.00'], 'CB 92.00', '92.00', bank],
  ['a chargeback of a part', ['DB 92.00'], 'CB 10.00', '10.00', bank],
  ['a chargeback of a capture', ['PA 92.00', 'CP 60.00'], 'CB 60.00 of 2', '60.00', bank],
  ['a chargeback of a rebill', ['DB 92.00', 'RB 10.00'], 'CB 10.00 of 2', '10.00', bank],
  ['a chargeback of a refund', ['DB 92.00', 'RF 10.00'], 'CB 10.00 of 2', '10.00', bank],
  ['a chargeback of more than the refund', ['DB 92.00', 'RF 10.00'], 'CB 10.01 of 2', '700.400.400', bank],
  ['a chargeback of a preauthorisation', ['PA 92.00'], 'CB 92.00', '700.400.550', bank],
  ['a chargeback of a payout', ['CD 92.00'], 'CB 92.00', '700.400.550', bank],
  ['a chargeback of a receipt', ['PA 92.00', 'RC 92.00'], 'CB 92.00 of 2', '700.400.550', bank],
  ['a chargeback without the right', ['DB 92.00'], 'CB 92.00', '700.400.402'],
  ['the status before the right', ['DB 92.00 NOK'], 'CB 92.00', '700.300.200'],
  ['the right before the type', ['PA 92.00'], 'CB 92.00', '700.400.402'],
  ['a chargeback by the payment system', ['DB 92.00'], 'CB 92.00', '92.00', system],
  ['a chargeback of more than the debit', ['DB 92.00'], 'CB 92.01', '700.400.400', bank],
  ['a chargeback of more than the unrefunded part', ['DB 92.00', 'RF 90.00'], 'CB 2.01', '700.400.400', bank],
  ['a chargeback of the unrefunded part', ['DB 92.00', 'RF 90.00'], 'CB 2.00', '2.00', bank],
  [
    'a chargeback of an amount that a pending refund reserves',
    ['DB 92.00', 'RF 90.00 PENDING'],
    'CB 2.01',
    '700.400.400',
    bank,
  ],
  ['a reversed debit, charged back', ['DB 92.00', 'RV 92.00'], 'CB 1.00', '700.400.400', bank],
  ['a chargeback of zero', ['DB 92.00'], 'CB 0.00', '100.550.300', bank],
  ['two chargebacks at once', ['DB 92.00', 'CB 10.00'], 'CB 10.00', '700.300.500', bank],
  ['two chargebacks at once, one of zero', ['DB 92.00', 'CB 10.00'], 'CB 0.00', '700.300.500', bank],
  ['a chargeback of each capture', ['PA 9.00', 'CP 5.00', 'CP 4.00', 'CB 5.00 of 2'], 'CB 4.00 of 3', '4.00', bank],
  ['a chargeback after a reversed chargeback', ['DB 92.00', 'CB 10.00', 'CR 10.00 of 2'], 'CB 92.00', '92.00', bank],
  [
    'a chargeback while a second chargeback is open',
    ['DB 9.00', 'CB 5.00', 'CR 5.00 of 2', 'CB 1.00 of 3'],
    'CB 1.00',
    '700.300.500',
    bank,
  ],
  ['a second chargeback', ['DB 92.00', 'CB 92.00', 'CR 92.00 of 2'], 'CB 92.00 of 3', '92.00', bank],
  [
    'a second chargeback of the reversed part',
    ['DB 92.00', 'CB 92.00', 'CR 50.00 of 2'],
    'CB 50.00 of 3',
    '50.00',
    bank,
  ],
  [
    'a second chargeback above the reversal',
    ['DB 92.00', 'CB 92.00', 'CR 50.00 of 2'],
    'CB 50.01 of 3',
    '700.400.400',
    bank,
  ],
  ['a third chargeback', ['DB 9.00', 'CB 9.00', 'CR 9.00 of 2', 'CB 5.00 of 3'], 'CB 4.00 of 3', '700.300.500', bank],
  [
    'a second chargeback after a refund',
    ['DB 9.00', 'CB 9.00', 'CR 9.00 of 2', 'RF 9.00'],
    'CB 1.00 of 3',
    '700.400.400',
    bank,
  ],
  ['a charged back debit, reversed', ['DB 92.00', 'CB 10.00'], 'RV', '700.300.600'],
  ['a debit with a reversed chargeback, reversed', ['DB 92.00', 'CB 10.00', 'CR 10.00 of 2'], 'RV', '92.00'],

  // Chargeback reversal
  ['a reversal of a whole chargeback', ['DB 92.00', 'CB 10.00'], 'CR 10.00 of 2', '10.00', bank],
  ['a reversal of a chargeback in parts', ['DB 92.00', 'CB 10.00', 'CR 4.00 of 2'], 'CR 6.00 of 2', '6.00', bank],
  [
    'a reversal above the remaining amount',
    ['DB 92.00', 'CB 10.00', 'CR 4.00 of 2'],
    'CR 6.01 of 2',
    '700.400.410',
    bank,
  ],
  ['a reversed chargeback, reversed', ['DB 92.00', 'CB 10.00', 'CR 10.00 of 2'], 'CR 1.00 of 2', '700.400.410', bank],
  ['a reversal of a chargeback with an amount of zero', ['DB 92.00', 'CB 10.00'], 'CR 0.00 of 2', '100.550.300', bank],
  [
    'a reversal of a second chargeback',
    ['DB 9.00', 'CB 9.00', 'CR 9.00 of 2', 'CB 9.00 of 3'],
    'CR 9.00 of 4',
    '700.400.411',
    bank,
  ],
  ['a reversal without a chargeback', ['DB 92.00'], 'CR 10.00', '700.400.420', bank],
  ['a reversal of a chargeback without the right', ['DB 92.00', 'CB 10.00'], 'CR 10.00 of 2', '700.400.402'],

  // Receipt
  ['a receipt', ['PA 92.00'], 'RC 92.00', '92.00', system],
  ['a receipt in parts', ['PA 92.00', 'RC 50.00'], 'RC 42.00', '42.00', system],
  ['receipts of more than the payment', ['PA 92.00', 'RC 92.00'], 'RC 1.00', '1.00', system],
  ['a receipt for an expired authorisation', ['PA 92.00'], 'RC 92.00 on day 30', '92.00', system],
  ['a receipt for a capture', ['PA 92.00', 'CP 92.00'], 'RC 1.00 of 2', '1.00', system],
  ['a receipt for a payout', ['CD 92.00'], 'RC 1.00', '700.400.560', system],
  ['a receipt without the right', ['PA 92.00'], 'RC 92.00', '700.400.562'],
  ['a receipt with the right to charge back', ['PA 92.00'], 'RC 92.00', '700.400.562', bank],
  ['a receipt of zero', ['PA 92.00'], 'RC 0.00', '100.550.300', system],
  ['a receipt above the maximum', ['DB 92.00'], 'RC 1.00', '100.550.301', { root: enormous, ...system }],

  // Increment
  ['an increment', ['PA 92.00'], 'PA 10.00', '10.00', increment],
  ['a second preauthorisation', ['PA 92.00'], 'PA 10.00', '700.100.700'],
  ['an increment of a captured authorisation', ['PA 92.00', 'CP 92.00'], 'PA 10.00', '700.100.700', increment],
  ['an increment of a closed authorisation', ['PA 92.00', 'CP 1.00 FINAL'], 'PA 10.00', '700.100.700', increment],
  ['an increment of an expired authorisation', ['PA 92.00'], 'PA 10.00 on day 7', '700.100.700', increment],
  ['an increment while another one is pending', ['PA 92.00', 'PA 1.00 PENDING'], 'PA 1.00', '800.700.100', increment],
  ['an increment while a reversal is pending', ['PA 92.00', 'RV 1.00 PENDING'], 'PA 1.00', '800.700.100', increment],
  ['an increment of zero', ['PA 92.00'], 'PA 0.00', '100.550.300', increment],
  ['an increment above the maximum', ['PA 92.00'], 'PA 10.00', '100.550.301', { root: enormous, ...increment }],
  ['authorisation and increment, captured together', ['PA 92.00', 'PA 10.00'], 'CP 102.00', '102.00'],
  ['a failed increment adds nothing', ['PA 92.00', 'PA 10.00 NOK'], 'CP 92.01', '700.400.100'],
  ['a pending increment adds nothing yet', ['PA 92.00', 'PA 10.00 PENDING'], 'CP 92.01', '700.400.100'],
]

/** The rules for a PENDING transaction also apply to a SENT one: each example with PENDING is repeated with SENT. */
const withSentVariant = (row: Row): Row[] => {
  const [rule, lines, ...rest] = row
  const sentLines = lines.map((text) => text.replace('PENDING', 'SENT'))
  return sentLines.join() === lines.join() ? [row] : [row, [`${rule}, sent`, sentLines, ...rest]]
}

describe('decide, on a payment', () => {
  it.each(examples.flatMap(withSentVariant))(
    '%s: after %j, %s is decided as %s',
    (_rule, lines, nextLine, outcome, changes = {}) => {
      const { command, referencedId } = parseLine(nextLine)
      const tree = exampleTree(lines, changes.root)
      const decision = decide(tree, referencedId, { ...command, ...changes.command }, paymentLimits)
      expect(decision.kind === 'go' ? formatAmount(decision.amountMinor, decision.currency) : decision.code).toBe(
        outcome,
      )
      if (decision.kind !== 'go') expect(resultCodes).toHaveProperty([decision.code])
    },
  )

  it('returns a final capture as a request to the acquirer, without a recorded result', () => {
    const { command, referencedId } = parseLine('CP 60.00 FINAL')
    expect(decide(exampleTree(['PA 92.00']), referencedId, command, paymentLimits)).toEqual({
      kind: 'go',
      type: 'CP',
      amountMinor: 6000,
      currency: 'EUR',
      referencedId: '1',
      facts: { final: true },
    })
  })

  it('extends a Mastercard hold by an increment, and no Visa hold', () => {
    const { command, referencedId } = parseLine('PA 10.00 on day 6')
    const factsOn = (root: Partial<Transaction>) => {
      const decision = decide(
        exampleTree(['PA 92.00'], root),
        referencedId,
        { ...command, ...increment.command },
        paymentLimits,
      )
      return decision.kind === 'go' && decision.facts
    }
    expect(factsOn({ brand: 'MASTER' })).toEqual({ expiresAtMs: 36 * DAY_MS })
    expect(factsOn({ brand: 'VISA' })).toEqual({})
  })
})

describe('decide, on external events', () => {
  it.each<[rule: string, lines: string[], nextLine: string, reason: string | undefined, result: string]>([
    ['a chargeback with a reason', ['DB 92.00'], 'CB 92.00', '000.100.220', '000.100.220'],
    ['a chargeback without a reason', ['DB 92.00'], 'CB 92.00', undefined, '000.100.200'],
    ['a chargeback with a reason that has no text of its own', ['DB 92.00'], 'CB 92.00', '000.100.298', '000.100.298'],
    ['an unknown code as the reason', ['DB 92.00'], 'CB 92.00', '000.100.300', '600.200.810'],
    ['a success code as the reason', ['DB 92.00'], 'CB 92.00', '000.100.110', '600.200.810'],
    ['the amount before the reason', ['DB 92.00'], 'CB 93.00', '000.100.300', '700.400.400'],
    ['a chargeback reversal', ['DB 92.00', 'CB 10.00'], 'CR 10.00 of 2', undefined, '000.100.105'],
    ['a receipt', ['PA 92.00'], 'RC 92.00', undefined, '000.000.000'],
  ])('%s: after %j, %s with the reason %s has the result %s', (_rule, lines, nextLine, chargebackReason, result) => {
    const { command, referencedId } = parseLine(nextLine)
    const decision = decide(
      exampleTree(lines),
      referencedId,
      { ...command, chargebackReason, rights: ['system'] },
      paymentLimits,
    )
    expect(decision.kind === 'go' ? decision.recorded : decision.code).toBe(result)
  })
})
