import { fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { programBeside } from '../program-beside.ts';

/** A request to repeat. `ID` in its address and body is a new id each time. */
export interface Flood {
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly token: string;
  readonly body?: string | undefined;
  /** The number of spaces after the body. */
  readonly padding?: number | undefined;
}

const answersSchema = z.record(z.string(), z.number());

/** How often each status was answered. */
export type FloodAnswers = Readonly<z.infer<typeof answersSchema>>;

/** Starts a flood. @returns a function that ends it */
export function startFlood(flood: Flood): () => Promise<FloodAnswers> {
  const child = fork(programBeside(import.meta.filename, 'flood-process'), [JSON.stringify(flood)], {
    stdio: 'inherit',
    execArgv: [],
  });
  return async () => {
    child.send('end');
    const [answers] = await once(child, 'message', { signal: AbortSignal.timeout(30_000) });
    child.disconnect();
    return answersSchema.parse(answers);
  };
}
