/** One instruction of a Dockerfile: `RUN`, and its arguments. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of each stage, from its `FROM` on. */
export function stagesOf(dockerfile: string): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const line of dockerfile.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** The words of `["node", "/app/main.js"]`, at the end of an instruction. */
export function wordsOf(text: string): string[] {
  const words: unknown = JSON.parse(text.slice(text.indexOf('[')));
  if (!Array.isArray(words)) throw new Error(`${text} has no list of words`);
  return words.map(String);
}
