import type { FormContent } from './content.ts';

/** A part of a form that differs; `former` or `next` is undefined if that version lacks it. */
export interface FormChange {
  /** Such as `people.minAge`, `pages.you.title.en`, `items.name.label.de`. */
  readonly path: string;
  readonly former: unknown;
  readonly next: unknown;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* leaves(value: unknown, path: string): Generator<[path: string, value: unknown]> {
  // A condition is one part: half of one means nothing.
  if (!isRecord(value) || path.endsWith('.when')) {
    yield [path, value];
    return;
  }
  for (const [name, inner] of Object.entries(value))
    yield* leaves(inner, path === '' ? name : `${path}.${name}`);
}

const byId = <Part extends { readonly id: string }>(parts: readonly Part[]) =>
  Object.fromEntries(parts.map(({ id, ...part }) => [id, part]));

/** The form by ids, so that moving a part only changes the order. */
function partsOf({ pages, ...settings }: FormContent): Map<string, unknown> {
  const items = pages.flatMap((page) => page.items);
  return new Map(
    leaves(
      {
        ...settings,
        order: pages.map(({ id }) => id),
        pages: byId(pages.map((page) => ({ ...page, items: page.items.map(({ id }) => id) }))),
        items: byId(
          items.map((item) =>
            item.type === 'ask' && item.options
              ? { ...item, order: item.options.map(({ id }) => id), options: byId(item.options) }
              : item,
          ),
        ),
      },
      '',
    ),
  );
}

/** The differences between two versions of a form, by ids of pages, items and options. */
export function compareForms(former: FormContent, next: FormContent): FormChange[] {
  const [before, after] = [partsOf(former), partsOf(next)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((path) => ({ path, former: before.get(path), next: after.get(path) }))
    .filter((change) => JSON.stringify(change.former) !== JSON.stringify(change.next));
}
