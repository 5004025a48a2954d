/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string
  /** The arguments of the instruction, on one line. */
  readonly args: string
}

/** The stages of a Dockerfile; each begins with its FROM. */
export function stagesOf(text: string): readonly (readonly Instruction[])[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  const stages: Instruction[][] = []
  for (const line of lines.filter((candidate) => candidate.trim() !== '')) {
    const [, name = '', args = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, args })
  }
  return stages
}

/** The arguments of all instructions of a name, in their order. */
export const argumentsOf = (stage: readonly Instruction[], name: string): readonly string[] =>
  stage.filter((instruction) => instruction.name === name).map(({ args }) => args)
