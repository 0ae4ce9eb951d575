/** A variable that is no setting, and the setting that it resembles. */
export interface MisspeltSetting {
  readonly name: string;
  readonly meant: string;
}

/** How many letters must be added, left out, changed or swapped with their neighbour to make one word the other. */
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

// Short words resemble too many foreign variables: of these only the case is forgiven.
function maxSlips(name: string): number {
  if (name.length < 6) return 0;
  return name.length < 10 ? 1 : 2;
}

/**
 * The variables that were probably meant as a setting: nearly one by its letters, where that one is not set itself.
 * They stop nothing, for a variable of that name may be somebody else's.
 */
export function findMisspeltSettings(
  variables: readonly string[],
  settings: readonly string[],
): MisspeltSetting[] {
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
