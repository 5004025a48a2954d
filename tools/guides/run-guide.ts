import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { answerTo, type gatewayFor, operatorEnv, program, type StartedGateway } from './running-gateway.ts'

/** Runs the files, commands and answers of a guide in order. @returns the names of the steps */
export async function runGuide(
  page: string,
  { running, data }: Pick<ReturnType<typeof gatewayFor>, 'running' | 'data'>,
  adapt: (text: string) => string = (text) => text,
): Promise<readonly string[]> {
  const parts = Array.from(
    page.matchAll(/(?:file,\s`([\w.-]+)`(?:;[^:]*)?:\n\n)?^```(sh|json)\n([^]*?)\n```$/gm),
    ([, file, kind, text]) => ({ file, kind, text: text ?? '' }),
  )
  const variables = new Map<string, string>()
  const steps: string[] = []
  let answer: unknown
  for (const { file, kind, text } of parts) {
    if (file !== undefined) {
      writeFileSync(join(data, file), adapt(text))
      steps.push(file)
    } else if (kind === 'json') {
      expect(answer).toMatchObject(JSON.parse(text))
      steps.push('answer')
    }
    // A command with a placeholder, such as `<payment id>`, is counted as a step, but not run.
    for (const command of kind === 'sh' ? text.split(/(?<!\\)\n/) : []) {
      const [word = '', ...words] = command.split(/[ =]/)
      steps.push(word)
      if (word === 'curl') answer = await answerTo(running().url, command, variables)
      else if (word !== 'tollgate') variables.set(word, command.slice(word.length + 1))
      else if (!command.includes('<')) answer = await runOperator(running(), words, data)
    }
  }
  return steps
}

/** Runs a command on a gateway, and returns its answer. */
export async function runOperator(gateway: StartedGateway, words: readonly string[], cwd: string): Promise<unknown> {
  const options = { env: operatorEnv(gateway), cwd, encoding: 'utf8' as const }
  return JSON.parse(execFileSync(process.execPath, [program, ...words], options))
}
