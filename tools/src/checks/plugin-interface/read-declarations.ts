import { join } from 'node:path';
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

/** A property or a function of an interface. */
export interface DeclaredMember {
  /** With the names of its parameters: `renew(context, former)`. */
  readonly name: string;
  readonly isOptional: boolean;
  /** As written; for a function, its result type. */
  readonly type: string;
  readonly description: string;
}

export interface DeclaredInterface {
  readonly name: string;
  readonly description: string;
  /** The names of the interfaces that it extends. */
  readonly bases: readonly string[];
  readonly members: readonly DeclaredMember[];
}

export interface DeclaredError {
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
