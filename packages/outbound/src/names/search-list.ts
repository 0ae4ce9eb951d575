/** How the system's resolver completes short names. */
export interface SearchList {
  readonly domains: readonly string[];
  /** A name with at least so many dots is asked for as it is before the domains are tried. */
  readonly dots: number;
}

const maxDots = 15;

/** Reads `search`, `domain` and `options ndots` of a resolv.conf; of `search` and `domain`, the last counts. */
export function parseSearchList(text: string): SearchList {
  let domains: readonly string[] = [];
  let dots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'search') domains = values;
    if (keyword === 'domain') domains = values.slice(0, 1);
    if (keyword !== 'options') continue;
    for (const option of values) {
      const [, number] = /^ndots:(\d+)$/.exec(option) ?? [];
      if (number !== undefined) dots = Math.min(Number(number), maxDots);
    }
  }
  return { domains: domains.map((domain) => domain.replace(/\.$/, '')).filter(Boolean), dots };
}

/** The full names that a name may stand for, in the order in which the system's resolver would ask for them. */
export function candidatesOf(name: string, { domains, dots }: SearchList): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const completed = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= dots ? [name, ...completed] : [...completed, name];
}
