import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskCardNumbers } from './card-number.ts'
import { limits } from './limits.ts'

const VISA = '4539578763621486'

/** The digits with their Luhn check digit. */
function withCheckDigit(digits: string): string {
  const isValid = (number: string): boolean => {
    const sum = Array.from(number)
      .toReversed()
      .reduce((total, digit, index) => {
        const value = Number(digit) * (1 + (index % 2))
        return total + (value > 9 ? value - 9 : value)
      }, 0)
    return sum % 10 === 0
  }
  return Array.from('0123456789', (digit) => digits + digit).find(isValid) ?? ''
}

describe('a card number', () => {
  test.each([
    [VISA, '*'.repeat(16)],
    [`Jane ${VISA} Jones`, `Jane ${'*'.repeat(16)} Jones`],
    [`PAN${VISA}X`, `PAN${'*'.repeat(16)}X`],
    ['4539 5787 6362 1486', '**** **** **** ****'],
    ['4539-5787-6362-1486', '****-****-****-****'],
    ['4539 5787-6362 1486', '**** ****-**** ****'],
    ['4 5 3 9 5 7 8 7 6 3 6 2 1 4 8 6', '* * * * * * * * * * * * * * * *'],
    ['4539 5787 6362 1486 12/29', '**** **** **** **** 12/29'],
    ['no 7 4539-5787-6362-1486', 'no 7 ****-****-****-****'],
    ['378282246310005', '*'.repeat(15)],
    ['4539  5787  6362  1486', '****  ****  ****  ****'],
    ['4539 - 5787 - 6362 - 1486 ', '**** - **** - **** - **** '],
    ['4539\t5787\t6362\t1486', '****\t****\t****\t****'],
    [`${VISA}, ${VISA}`, `${'*'.repeat(16)}, ${'*'.repeat(16)}`],
    ['4539\u00a05787\u00a06362\u00a01486', '****\u00a0****\u00a0****\u00a0****'],
    ['4539–5787–6362–1486', '****–****–****–****'],
    ['٤٥٣٩٥٧٨٧٦٣٦٢١٤٨٦', '*'.repeat(16)],
    ['４５３９５７８７６３６２１４８６', '*'.repeat(16)],
    [`𝄞${VISA}𝄞`, `𝄞${'*'.repeat(16)}𝄞`],
  ])('is masked in %j', (text, masked) => expect(maskCardNumbers(text)).toBe(masked))

  test.each([
    '',
    'Jane Jones',
    '4539578763621487',
    '4539.5787.6362.1486',
    '4539/5787/6362/1486',
    '4539 5787 6362 148',
    '12345678903',
    `1${'0'.repeat(18)}9`,
    '2024-05-31 12:00:00',
    '8ac7a4a0853f4d1b9c2e6f7a1b3c5d7e',
    '+49 30 1234567',
    '1234.5678.9012 Sandbox',
  ])('is not in %j', (text) => expect(maskCardNumbers(text)).toBe(text))
})

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`))
const { cardNumberDigitsMin: digitsMin, cardNumberDigitsMax: digitsMax } = limits

test('12 to 19 digits are masked in any grouping if they pass the Luhn check; ungrouped ones that fail it stay', () => {
  const groups = fc.array(fc.tuple(fc.nat(20), fc.constantFrom(' ', '-', '  ', ' - ')), { maxLength: 6 })
  fc.assert(
    fc.property(
      digits(digitsMin - 1, digitsMax - 1),
      groups,
      fc.constantFrom('', 'Jane ', 'x'),
      (payload, cuts, before) => {
        const number = withCheckDigit(payload)
        const grouped = cuts
          .filter(([offset]) => offset > 0 && offset < number.length)
          .toSorted(([a], [b]) => b - a)
          .reduce((text, [offset, separator], index, all) => {
            if (all[index - 1]?.[0] === offset) return text
            return text.slice(0, offset) + separator + text.slice(offset)
          }, number)
        expect(maskCardNumbers(before + grouped + before)).toBe(before + grouped.replaceAll(/[0-9]/g, '*') + before)
        const invalid = payload + String((Number(number.at(-1)) + 1) % 10)
        expect(maskCardNumbers(invalid)).toBe(invalid)
      },
    ),
  )
})

test('masking replaces only digits, and keeps the length', () => {
  const text = fc.string({ unit: fc.constantFrom('4', '2', '0', '7', ' ', '-', 'a', 'é', '𝄞', '.'), maxLength: 60 })
  fc.assert(
    fc.property(text, (sent) => {
      const masked = maskCardNumbers(sent)
      expect(masked).toHaveLength(sent.length)
      const before = Array.from(sent)
      for (const [i, each] of Array.from(masked).entries()) expect(before[i]).toMatch(each === '*' ? /^[0-9]$/ : each)
      expect(maskCardNumbers(masked)).toBe(masked)
    }),
  )
})
