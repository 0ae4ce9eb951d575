type Headers = Readonly<Record<string, string>>;

/** Puts headers together; of one name, however spelled, the last stays, in the spelling it was given in. */
export function mergeHeaders(...sources: readonly Headers[]): Record<string, string> {
  const byName = new Map<string, [string, string]>();
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) byName.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(byName.values());
}
