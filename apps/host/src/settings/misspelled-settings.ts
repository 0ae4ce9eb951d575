/** A variable that is not a setting, and the setting it resembles. */
export interface MisspelledSetting {
  readonly name: string;
  readonly meant: string;
}

/** The number of letters to add, remove, replace or swap with a neighbor to turn one word into the other. */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = (last[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      const added = (current[column - 1] ?? 0) + 1;
      const leftOut = (last[column] ?? 0) + 1;
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swapped = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(changed, added, leftOut, swapped));
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}

// Short names resemble too many variables of other programs; they may differ in case only.
function maxSlips(name: string): number {
  if (name.length < 6) return 0;
  return name.length < 10 ? 1 : 2;
}

/**
 * The variables that are probably misspelled settings: they resemble a setting that is not set. They do not prevent the
 * start, because they may belong to another program.
 */
export function findMisspelledSettings(
  variables: readonly string[],
  settings: readonly string[],
): MisspelledSetting[] {
  const given = new Set(variables);
  const open = settings.filter((setting) => !given.has(setting));
  return variables
    .filter((name) => !settings.includes(name))
    .flatMap((name) => {
      const [nearest] = open
        .map((meant) => ({ name, meant, slips: editDistance(name.toUpperCase(), meant) }))
        .filter(({ meant, slips }) => slips <= maxSlips(meant))
        .toSorted((a, b) => a.slips - b.slips);
      return nearest === undefined ? [] : [{ name, meant: nearest.meant }];
    });
}
