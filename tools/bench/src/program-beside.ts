import { dirname, extname, join } from 'node:path';

/** The program `name` in the folder of `file`: a `.ts` file among sources, a `.js` file in a build. */
export function programBeside(file: string, name: string): string {
  return join(dirname(file), `${name}${extname(file)}`);
}
