import { compareForms, type FormContent, type Item } from '@waiver-service/forms';

interface FieldChange {
  /** Such as `label.de`, `options.yes.label.en`, `validity.days`. */
  readonly field: string;
  readonly former: unknown;
  readonly next: unknown;
}

/** A page, an item or the settings, with its differences. */
export interface PartChange {
  readonly kind: 'item' | 'page' | 'settings';
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  readonly item?: Item;
  readonly fields: readonly FieldChange[];
}

const allItems = ({ pages }: FormContent) => pages.flatMap(({ items }) => items);

/** Whether the common entries are in another order: adding or removing one does not count as moving the others. */
function isReordered(former: unknown, next: unknown): boolean {
  if (!Array.isArray(former) || !Array.isArray(next)) return false;
  const both = (ids: readonly unknown[], others: readonly unknown[]) =>
    ids.filter((id) => others.includes(id));
  return both(former, next).join('\n') !== both(next, former).join('\n');
}

const pageOf = ({ pages }: FormContent, item: string) =>
  pages.find(({ items }) => items.some(({ id }) => id === item))?.id;

const isOrder = (field: string) => field === 'order' || field === 'items';

/** The differences between two versions, item by item, in the order of the next version; removed items come last. */
export function formChanges(former: FormContent, next: FormContent): readonly PartChange[] {
  const groups = new Map<string, FieldChange[]>();
  for (const { path, former: before, next: after } of compareForms(former, next)) {
    const [, kind, id, field = ''] = /^(items|pages)\.([^.]+)(?:\.(.*))?$/.exec(path) ?? [];
    const key = kind === undefined ? 'settings' : `${kind}.${id}`;
    const change = { field: kind === undefined ? path : field, former: before, next: after };
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const partOf = (
    kind: PartChange['kind'],
    id: string,
    [wasThere, isThere]: readonly [boolean, boolean],
    item?: Item,
  ): PartChange[] => {
    const found = groups.get(kind === 'settings' ? kind : `${kind}s.${id}`) ?? [];
    const fields = found.filter(({ field }) => !isOrder(field));
    const change = !wasThere ? 'added' : !isThere ? 'removed' : fields.length > 0 ? 'changed' : 'moved';
    const hasMoved =
      found.some((one) => isOrder(one.field) && isReordered(one.former, one.next)) ||
      (wasThere && isThere && kind === 'item' && pageOf(former, id) !== pageOf(next, id));
    return fields.length > 0 || hasMoved ? [{ kind, id, change, item, fields }] : [];
  };
  const [before, after] = [allItems(former), allItems(next)];
  const idsOf = (parts: readonly { readonly id: string }[]) => parts.map(({ id }) => id);
  const [formerIds, nextIds] = [idsOf(before), idsOf(after)];
  const [formerPages, nextPages] = [idsOf(former.pages), idsOf(next.pages)];
  return [
    ...partOf('settings', '', [true, true]),
    ...[...new Set([...nextPages, ...formerPages])].flatMap((id) =>
      partOf('page', id, [formerPages.includes(id), nextPages.includes(id)]),
    ),
    ...after.flatMap((item) => partOf('item', item.id, [formerIds.includes(item.id), true], item)),
    ...before
      .filter(({ id }) => !nextIds.includes(id))
      .flatMap((item) => partOf('item', item.id, [true, false], item)),
  ];
}
