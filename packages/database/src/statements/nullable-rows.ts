/** A row that an item of a list is made from: what the item may lack is null. */
export type RowOf<Item> = {
  readonly [Name in keyof Item]-?: undefined extends Item[Name]
    ? Exclude<Item[Name], undefined> | null
    : Item[Name];
};

/** A row without those of the named columns that are null. */
export function omitNulls<Row extends object, Name extends keyof Row & string>(
  row: Row,
  ...names: readonly Name[]
): Omit<Row, Name> & { [Each in Name]?: NonNullable<Row[Each]> } {
  const omitted: readonly string[] = names;
  const kept: unknown[][] = Object.entries(row).filter(
    ([name, value]) => value !== null || !omitted.includes(name),
  );
  return Object.fromEntries(kept);
}
