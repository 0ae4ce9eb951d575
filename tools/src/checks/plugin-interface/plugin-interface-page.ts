import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilitiesSchema, manifestSchema } from '@waiver-service/core';
import { z } from 'zod';
import { markdownTable } from '../markdown-table.ts';
import type { DeclaredInterface, PluginInterface } from './read-declarations.ts';

/** Path of the page, relative to the root. Its prose is handwritten, its tables are generated. */
export const pagePath = 'docs/plugins/plugin-interface.md';

/** A generated part of the page, between a comment that names its subject and an end comment. */
const region = /<!-- (manifest|capabilities|errors|warnings|interface (\w+)) -->\n[\s\S]*?<!-- end -->/g;

type JsonSchema = z.core.JSONSchema.BaseSchema;

const code = (text: unknown) => `\`${text}\``;

function valuesOf(schema: JsonSchema): string {
  const { type, pattern, minLength, maxLength, minimum, maximum, items, additionalProperties } = schema;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(valuesOf).join(', or ');
  if (schema.properties !== undefined) return code(`{ ${Object.keys(schema.properties).join(', ')} }`);
  if (type === 'array')
    return `a list of ${typeof items === 'object' && !Array.isArray(items) ? valuesOf(items) : 'values'}`;
  if (typeof additionalProperties === 'object') return `by name: ${valuesOf(additionalProperties)}`;
  if (pattern !== undefined) return code(pattern);
  if (type === 'string' && maxLength !== undefined) return `${minLength} to ${maxLength} characters`;
  if (type === 'integer') return `${minimum?.toLocaleString('en')} to ${maximum?.toLocaleString('en')}`;
  return typeof type === 'string' ? type : 'any value';
}

/** The fields of an object, including those of nested objects. */
function fieldRows({ properties = {}, required = [] }: JsonSchema, path = ''): string[][] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    if (typeof schema === 'boolean') return [];
    const items = typeof schema.items === 'object' && !Array.isArray(schema.items) ? schema.items : undefined;
    const inside = items?.type === 'object' ? items : schema;
    const isObject = inside.properties !== undefined;
    const name = `${path}${key}${required.includes(key) ? '' : '?'}`;
    const values = isObject
      ? items === undefined
        ? 'object'
        : `${schema.minItems} to ${schema.maxItems} objects`
      : valuesOf(schema);
    const prefix = `${path}${key}${items === undefined ? '' : '[]'}.`;
    return [[code(name), values, schema.description ?? ''], ...(isObject ? fieldRows(inside, prefix) : [])];
  });
}

function schemaTable(schema: z.ZodType): string {
  return markdownTable(['Field', 'Values', 'Meaning'], fieldRows(z.toJSONSchema(schema, { io: 'input' })));
}

// Every interface has a plugin's two schema types as its parameters, and `?` marks what may be undefined.
const plainType = (type: string) =>
  type.replace(/<Settings, Account>| \| undefined$/g, '').replace(/\s+/g, ' ');

/** Wraps text like the page's prose. */
function wrap(text: string): string {
  return text.split(' ').reduce((lines, word) => {
    const last = lines.slice(lines.lastIndexOf('\n') + 1);
    return last.length + 1 + word.length > 120 ? `${lines}\n${word}` : `${lines} ${word}`;
  });
}

function interfaceText({ name, description, bases, members }: DeclaredInterface): string {
  const isDescribed = members.some((member) => member.description !== '');
  const rows = members.map((member) => [
    code(member.isOptional ? member.name.replace(/^\w+/, '$&?') : member.name),
    code(plainType(member.type)),
    ...(isDescribed ? [member.description] : []),
  ]);
  const inherited = bases.length === 0 ? [] : [`It has everything of ${bases.map(code).join(' and ')}, and:`];
  const heads = ['Member', 'Type', ...(isDescribed ? ['Meaning'] : [])];
  return [wrap(`**${name}**: ${description}`), ...inherited, markdownTable(heads, rows)].join('\n\n');
}

function errorTable({ errors }: PluginInterface): string {
  const rows = errors.map(({ name, code: own, isRetryable, description }) => [
    code(name),
    code(own),
    isRetryable === undefined ? 'by `retry`' : isRetryable ? 'yes' : 'no',
    description,
  ]);
  return markdownTable(['Error', '`code`', '`retryable`', 'When'], rows);
}

function warningTable({ warnings }: PluginInterface): string {
  return markdownTable(
    ['`code`', 'When'],
    warnings.map((one) => [code(one.code), one.description]),
  );
}

function contentOf(subject: string, named: string | undefined, declared: PluginInterface): string {
  if (subject === 'manifest') return schemaTable(manifestSchema.omit({ capabilities: true }));
  if (subject === 'capabilities') return schemaTable(capabilitiesSchema);
  if (subject === 'errors') return errorTable(declared);
  if (subject === 'warnings') return warningTable(declared);
  const found = declared.interfaces.find(({ name }) => name === named);
  if (found === undefined) throw new Error(`${pagePath}: packages/core/src/plugin has no interface ${named}`);
  return interfaceText(found);
}

/** The page with its generated parts updated from the declarations. */
export function withTables(page: string, declared: PluginInterface): string {
  return page.replace(region, (_, subject: string, named?: string) =>
    [`<!-- ${subject} -->`, contentOf(subject, named, declared), '<!-- end -->'].join('\n'),
  );
}

/** Problems: interfaces without a table on the page or, if there are none, out-of-date tables. */
export function findStaleTables(page: string, declared: PluginInterface): string[] {
  const shown = new Set(Array.from(page.matchAll(region), ([, , name]) => name));
  const missing = declared.interfaces.filter(({ name }) => !shown.has(name));
  if (missing.length > 0) {
    return missing.map(
      ({ name }) =>
        `${pagePath}: has no table of ${name}; write <!-- interface ${name} --> and <!-- end --> where it belongs, a line each, and run npm run docs:plugin-interface`,
    );
  }
  return withTables(page, declared) === page
    ? []
    : [`${pagePath}: is out of date; run npm run docs:plugin-interface`];
}

/** See {@link findStaleTables}. */
export function findStalePluginInterface(root: string, declared: PluginInterface): string[] {
  return findStaleTables(readFileSync(join(root, pagePath), 'utf8'), declared);
}
