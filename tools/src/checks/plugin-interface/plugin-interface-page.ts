import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilitiesSchema, manifestSchema } from '@waiver-service/core';
import type { ClassDeclaration, InterfaceDeclaration, Node, SourceFile } from 'typescript/unstable/ast';
import {
  isArrayLiteralExpression,
  isAsExpression,
  isClassDeclaration,
  isIdentifier,
  isInterfaceDeclaration,
  isMethodSignatureDeclaration,
  isPropertyDeclaration,
  isPropertySignatureDeclaration,
  isStringLiteral,
  isVariableStatement,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { z } from 'zod';
import { markdownTable } from '../markdown-table.ts';

/** A property or a function of an interface. */
interface DeclaredMember {
  /** With the names of its parameters: `renew(context, former)`. */
  readonly name: string;
  readonly isOptional: boolean;
  /** As written; for a function, its result type. */
  readonly type: string;
  readonly description: string;
}

interface DeclaredInterface {
  readonly name: string;
  readonly description: string;
  /** The names of the interfaces that it extends. */
  readonly bases: readonly string[];
  readonly members: readonly DeclaredMember[];
}

interface DeclaredError {
  readonly name: string;
  readonly description: string;
  readonly code: string;
  /** Undefined if it depends on the error. */
  readonly isRetryable: boolean | undefined;
}

/** Core's declarations that make up the plugin interface. */
export interface PluginInterface {
  readonly interfaces: readonly DeclaredInterface[];
  readonly errors: readonly DeclaredError[];
  /** Each with its meaning. */
  readonly warnings: readonly { readonly code: string; readonly description: string }[];
}

const textOf = (file: SourceFile, node: Node) => file.text.slice(node.getStart(file), node.end);

/** The TSDoc comment before a node, on one line. */
function descriptionOf(file: SourceFile, node: Node): string {
  const comments = file.text.slice(node.pos, node.getStart(file)).match(/\/\*\*[\s\S]*?\*\//g);
  return (comments?.at(-1) ?? '')
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\*/gm, ' ')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}

function readInterface(file: SourceFile, declaration: InterfaceDeclaration): DeclaredInterface {
  const bases = (declaration.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(({ expression }) => (isIdentifier(expression) ? expression.text : textOf(file, expression))),
  );
  const members = declaration.members.flatMap((member): DeclaredMember[] => {
    const isMethod = isMethodSignatureDeclaration(member);
    if (!isMethod && !isPropertySignatureDeclaration(member)) return [];
    const parameters = isMethod
      ? `(${member.parameters.map(({ name }) => textOf(file, name)).join(', ')})`
      : '';
    return [
      {
        name: `${textOf(file, member.name)}${parameters}`,
        isOptional: file.text[member.name.end] === '?',
        type: member.type === undefined ? 'unknown' : textOf(file, member.type),
        description: descriptionOf(file, member),
      },
    ];
  });
  return { name: declaration.name.text, description: descriptionOf(file, declaration), bases, members };
}

function readError(file: SourceFile, declaration: ClassDeclaration): DeclaredError[] {
  const values = new Map(
    declaration.members
      .filter(isPropertyDeclaration)
      .flatMap((member) =>
        member.initializer === undefined
          ? []
          : [[textOf(file, member.name), textOf(file, member.initializer)] as const],
      ),
  );
  const code = values.get('code');
  if (code === undefined || declaration.name === undefined) return [];
  const retryable = values.get('retryable');
  return [
    {
      name: declaration.name.text,
      description: descriptionOf(file, declaration),
      code: code.slice(1, -1),
      isRetryable: retryable === undefined ? undefined : retryable === 'true',
    },
  ];
}

function readWarnings(file: SourceFile): PluginInterface['warnings'] {
  const lists = file.statements
    .filter(isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .map(({ initializer }) =>
      initializer !== undefined && isAsExpression(initializer) ? initializer.expression : initializer,
    )
    .filter((list) => list !== undefined && isArrayLiteralExpression(list));
  return lists.flatMap(({ elements }) =>
    elements
      .filter(isStringLiteral)
      .map((element) => ({ code: element.text, description: descriptionOf(file, element) })),
  );
}

/** Reads the declarations of `packages/core` below `root`, with their TSDoc. */
export function readPluginInterface(root: string): PluginInterface {
  const core = join(root, 'packages/core');
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [join(core, 'tsconfig.json')] }).getProjects()[0];
    const fileOf = (path: string) => {
      const file = project?.program.getSourceFile(path);
      if (file === undefined) throw new Error(`${path}: the compiler does not know this file`);
      return file;
    };
    const paths = project?.rootFiles.toSorted() ?? [];
    const filesIn = (folder: string) =>
      paths.filter((path) => path.startsWith(join(core, 'src', folder))).map(fileOf);
    return {
      interfaces: filesIn('plugin/').flatMap((file) =>
        file.statements.filter(isInterfaceDeclaration).map((one) => readInterface(file, one)),
      ),
      errors: filesIn('errors/').flatMap((file) =>
        file.statements.filter(isClassDeclaration).flatMap((one) => readError(file, one)),
      ),
      warnings: readWarnings(fileOf(join(core, 'src/warning.ts'))),
    };
  } finally {
    api.close();
  }
}

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
