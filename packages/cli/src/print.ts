/** Prints an answer of the gateway as JSON. */
export async function print(answer: Promise<unknown>): Promise<void> {
  process.stdout.write(`${JSON.stringify(await answer, null, 2)}\n`)
}
