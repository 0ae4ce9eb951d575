type Headers = Readonly<Record<string, string>>;

/**
 * Puts headers together as undici writes them: name, value, name, value. Of one name, however spelled, the last stays,
 * in the spelling it was given in.
 */
export function wireHeaders(sources: readonly Headers[]): string[] {
  const wire: string[] = [];
  const places = new Map<string, number>();
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      const key = name.toLowerCase();
      const place = places.get(key) ?? wire.length;
      places.set(key, place);
      wire[place] = name;
      wire[place + 1] = value;
    }
  }
  return wire;
}
