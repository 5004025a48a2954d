/** Whether the digits end in their Luhn check digit (ISO/IEC 7812-1). */
export function isLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .map(Number)
    .map((digit, index) => (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2))
    .reduce((total, value) => total + value, 0)
  return digits !== '' && sum % 10 === 0
}
