/** How a value on one side relates to the other side. */
type Mark =
  /** Another value at the same place. */
  | 'changed'
  /** The same value at another place. */
  | 'moved'
  /** Nowhere on the other side. */
  | 'unmatched';

/** A line of indented JSON. */
export interface JsonLine {
  readonly depth: number;
  readonly text: string;
  /** Such as `guests[2].name`. */
  readonly path: string;
  /** Undefined for brackets, and for values that are the same on both sides. */
  readonly mark: Mark | undefined;
}

type Leaves = ReadonlyMap<string, unknown>;

const hasParts = (value: unknown): value is object => typeof value === 'object' && value !== null;

function partsOf(value: object, path: string): [path: string, label: string, value: unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [`${path}[${index}]`, '', item]);
  return Object.entries(value).map(([name, item]) => [
    path === '' ? name : `${path}.${name}`,
    `${JSON.stringify(name)}: `,
    item,
  ]);
}

function leavesOf(value: unknown, path = '', leaves = new Map<string, unknown>()): Leaves {
  if (!hasParts(value)) leaves.set(path, value);
  else for (const [inner, , item] of partsOf(value, path)) leavesOf(item, inner, leaves);
  return leaves;
}

// By their string forms: a number and its string count as equal, except at the same path, where the change is marked.
const valuesOf = (values: readonly unknown[]) =>
  new Set(values.flatMap((value) => [...leavesOf(value).values()].map(String)));

interface Other {
  readonly leaves: Leaves;
  readonly values: ReadonlySet<string>;
}

function markOf(path: string, value: unknown, { leaves, values }: Other): Mark | undefined {
  if (leaves.has(path)) return leaves.get(path) === value ? undefined : 'changed';
  return values.has(String(value)) ? 'moved' : 'unmatched';
}

function linesOf(value: unknown, other: Other): JsonLine[] {
  const lines: JsonLine[] = [];
  const write = (item: unknown, path: string, depth: number, label: string, end: string) => {
    if (!hasParts(item)) {
      const mark = markOf(path, item, other);
      lines.push({ depth, path, text: `${label}${JSON.stringify(item)}${end}`, mark });
      return;
    }
    const [open, close] = Array.isArray(item) ? '[]' : '{}';
    const parts = partsOf(item, path);
    if (parts.length === 0) {
      lines.push({ depth, path, text: `${label}${open}${close}${end}`, mark: undefined });
      return;
    }
    lines.push({ depth, path, text: `${label}${open}`, mark: undefined });
    parts.forEach(([inner, name, part], index) => {
      write(part, inner, depth + 1, name, index === parts.length - 1 ? '' : ',');
    });
    lines.push({ depth, path: '', text: `${close}${end}`, mark: undefined });
  };
  write(value, '', 0, '', '');
  return lines;
}

/**
 * A response and the booking made from it, line by line, with their differences marked.
 *
 * @param others - further responses that the booking was made from
 */
export function compareJson(answer: unknown, result: unknown, others: readonly unknown[] = []) {
  return {
    answer: linesOf(answer, { leaves: leavesOf(result), values: valuesOf([result]) }),
    result: linesOf(result, { leaves: leavesOf(answer), values: valuesOf([answer, ...others]) }),
  };
}
