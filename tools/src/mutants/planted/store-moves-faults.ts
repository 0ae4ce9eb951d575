import type { PlantedFault } from './planted-fault.ts';

const states = 'packages/store/src/moves/move-state.ts';
const checking = 'packages/store/src/moves/check-move.ts';
const copying = 'packages/store/src/moves/copy-pool.ts';
const waiting = 'packages/store/src/moves/quiesce.ts';
const moving = 'packages/store/src/moves/moving-pools.ts';
const moved = 'packages/store/src/cells/moved-pools.ts';

/** Slips around pools that move to another cell. */
export const storeMovesFaults: readonly PlantedFault[] = [
  {
    title: 'a pool that is copied goes on here',
    file: moving,
    find: "(${pool} in (select m.pool from pool_move m where m.state <> 'arrived'))",
    replace: "(${pool} in (select m.pool from pool_move m where m.state = 'left'))",
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'a pool that is being copied may not be elsewhere yet',
    file: moving,
    find: "where m.state in ('copying', 'left'))",
    replace: "where m.state in ('left'))",
    noticedBy: ['cells/moved-pools', 'moves/move-pool'],
  },
  {
    title: 'nobody hears that a pool begins to leave',
    file: states,
    find: `    await addEntry(transaction, { id, action: 'pool.move', pool, status: null }, cell);
    await tellHosts(transaction);`,
    replace: "    await addEntry(transaction, { id, action: 'pool.move', pool, status: null }, cell);",
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'an arrived pool is still sent on by its cell',
    file: states,
    find: '  await forgetMovedPool(transaction, pool);\n',
    replace: '',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'a pool that has left is still in the list of pools',
    file: states,
    find: 'await sql`delete from pool where id = ${pool}`.execute(transaction);',
    replace: '',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'a cancelled move stays open in the audit log',
    file: states,
    find: 'await endEntry(transaction, id, 409);',
    replace: '',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'the move of another command is taken for the own one',
    file: states,
    find: "select from pool_move where pool = ${pool} and id = ${id}::uuid and state = 'copying' for share skip locked",
    replace: 'select 1',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'a database counts as another one, whichever it is',
    file: checking,
    find: 'if (tries[0]?.free === true) return;',
    replace: 'if (tries.length === 1) return;',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'any cell will do',
    file: checking,
    find: '  if (found === cell) return;\n',
    replace: '  if (found !== undefined) return;\n',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'ids of waivers that the other cell has are not noticed',
    file: checking,
    find: 'if (taken === undefined || taken.count === 0) return;',
    replace: 'if (taken === undefined || taken.count >= 0) return;',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'a missing booking system is not noticed',
    file: checking,
    find: 'if (missing.length === 0) return;',
    replace: 'if (missing.length < 1_000) return;',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'secrets keep the key of the cell that they come from',
    file: checking,
    find: '    (one, other) => Number(other.id === theirs) - Number(one.id === theirs),',
    replace: '    (one, other) => Number(one.id === theirs) - Number(other.id === theirs),',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'the messages of a lane arrive in the opposite order',
    file: copying,
    find: '(select * from moving_pending order by position) m`);',
    replace: '(select * from moving_pending order by position desc) m`);',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'a vendor is not told the new address',
    file: copying,
    find: "else 'registering' end",
    replace: 'else state end',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'what is being sent is not waited for',
    file: waiting,
    find: '    return count === 0;',
    replace: '    return count >= 0;',
    noticedBy: ['moves/move-pool'],
  },
  {
    title: 'a pool that has come back is still said to be away',
    file: moved,
    find: 'delete from moved_pool where pool = ${pool}',
    replace: 'delete from moved_pool where pool <> ${pool}',
    noticedBy: ['cells/moved-pools', 'moves/move-pool'],
  },
  {
    title: 'hosts keep what they knew of a moved pool',
    file: moved,
    find: '    generation += 1;\n    cache.clear();',
    replace: '    generation += 1;',
    noticedBy: ['cells/moved-pools'],
  },
  {
    title: 'an answer that was read before a change is kept',
    file: moved,
    find: 'if (requestedIn !== generation) return cell;',
    replace: '',
    noticedBy: ['cells/moved-pools'],
  },
];
