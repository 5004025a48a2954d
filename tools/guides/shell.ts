import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A shell, in which the blocks of a guide are run one after the other, as an operator would. */
export interface Shell {
  /**
   * Runs a block. Its variables, functions and background processes remain.
   *
   * @returns its standard output
   * @throws Error with the output, if a command fails or the shell ends
   */
  run(block: string): Promise<string>
  /** Kills the shell, and all processes that it has started. */
  kill(): Promise<void>
}

const END = '-- end of the block --'

/** Starts bash in a folder. Like a script of an operator, it ends with the first command that fails. */
export function openShell(cwd: string, env: NodeJS.ProcessEnv): Shell {
  // The shell leads a process group, which contains everything that it starts.
  const child = spawn('bash', ['--norc'], { cwd, env, stdio: 'pipe', detached: true })
  const ended = once(child, 'close')
  const killGroup = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All processes of the group have ended.
    }
  }
  process.once('exit', killGroup)
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  child.stdin.on('error', () => undefined)
  child.stdin.write('set -euo pipefail\n')

  /** Resolves when the block has ended, or the shell. */
  async function untilEnd(): Promise<void> {
    while (!output.endsWith(`${END}\n`)) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the shell ended: ${output}${errors}`)
      await Promise.race([once(child.stdout, 'data'), ended])
    }
  }

  return {
    async run(block) {
      output = ''
      // A block is one command, so that its commands do not read the blocks after it.
      child.stdin.write(`{\n${block}\n} </dev/null\necho '${END}'\n`)
      await untilEnd()
      return output.slice(0, -END.length - 1)
    },
    async kill() {
      process.removeListener('exit', killGroup)
      killGroup()
      child.stdin.end()
      await ended
    },
  }
}
