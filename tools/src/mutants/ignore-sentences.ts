import type { Ignorer } from '@stryker-mutator/api/ignore';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { z } from 'zod';

const textNode = z.union([
  z.object({ node: z.object({ type: z.literal('StringLiteral'), value: z.string() }) }),
  z.object({ node: z.object({ type: z.literal('TemplateLiteral'), quasis: z.array(z.looseObject({})) }) }),
]);
const templatePart = z.object({ value: z.object({ raw: z.string() }) });

function textOf(path: unknown): string {
  const found = textNode.safeParse(path).data?.node;
  if (found === undefined) return '';
  if (found.type === 'StringLiteral') return found.value;
  return found.quasis.map((part) => templatePart.safeParse(part).data?.value.raw ?? '').join('…');
}

// Tests do not fix the wording of sentences, but do fix a status, a path or a name.
const ignorer: Ignorer = {
  shouldIgnore: (path) => (/\s\S+\s/.test(textOf(path)) ? 'a sentence for people' : undefined),
};

/** Stryker reads this export. */
export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'sentences', ignorer)];
