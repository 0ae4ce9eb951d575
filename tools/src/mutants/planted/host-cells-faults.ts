import type { PlantedFault } from './planted-fault.ts';

const cells = 'apps/host/src/cells/cells.ts';
const headers = 'apps/host/src/cells/forwarded-headers.ts';

/** Slips around requests that are sent on to another cell. */
export const hostCellsFaults: readonly PlantedFault[] = [
  {
    title: 'a request is sent back to the cell that it came from',
    file: cells,
    find: 'if (cell !== undefined && !cellsBefore(headers).includes(cell)) throw new LivesElsewhere([cell]);',
    replace: 'if (cell !== undefined) throw new LivesElsewhere([cell]);',
    noticedBy: ['cells/two-cells'],
  },
  {
    title: 'a revoked key of a pool that is here is looked for elsewhere',
    file: cells,
    find: 'if (pool !== undefined && cellThatCreated(key) !== undefined && (await isHere(pool))) return;',
    replace: '',
    noticedBy: ['cells/two-cells'],
  },
  {
    title: 'a search goes on in each cell that it comes to',
    file: cells,
    find: 'if (others.size === 0 || request.headers[forwardedByHeader] !== undefined) return;',
    replace: 'if (others.size === 0) return;',
    noticedBy: ['cells/two-cells'],
  },
  {
    title: 'what cannot be the id of a pool is looked up',
    file: cells,
    find: 'const isPoolId = (pool: string) => poolIdSchema.safeParse(pool).success;',
    replace: 'const isPoolId = (pool: string) => pool.length > 0;',
    noticedBy: ['cells/two-cells'],
  },
  {
    title: 'a request may go in a circle',
    file: cells,
    find: 'if (before.length >= maxHops || elsewhere.cells.some((cell) => before.includes(cell)))',
    replace: 'if (before.length >= 1_000)',
    noticedBy: ['cells/two-cells'],
  },
  {
    title: "a feed keeps a closing host's caller waiting",
    file: cells,
    find: 'setTimeout(() => closing.abort(), closingGraceMs).unref();',
    replace: '',
    noticedBy: ['cells/asking-cells'],
  },
  {
    title: 'the session of this console goes to another cell',
    file: headers,
    find: "  'cookie',\n",
    replace: '',
    noticedBy: ['cells/two-cells'],
  },
  {
    title: 'addresses that a client made up go on',
    file: headers,
    find: "ownToThisCell.has(name) || name.startsWith('x-forwarded-')",
    replace: 'ownToThisCell.has(name)',
    noticedBy: ['cells/two-cells'],
  },
  {
    title: 'headers of the connection go on',
    file: headers,
    find: 'if (!isOwn(lowerCase) && !dropped.has(lowerCase)) sent.push(name, value);',
    replace: 'if (!isOwn(lowerCase)) sent.push(name, value);',
    noticedBy: ['cells/two-cells'],
  },
];
