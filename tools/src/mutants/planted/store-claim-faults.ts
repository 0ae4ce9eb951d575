import type { PlantedFault } from './planted-fault.ts';

/** Slips in the SQL of claims, leases, holds and request limits. */
export const storeClaimFaults: readonly PlantedFault[] = [
  {
    title: 'a claim takes the newest of a lane',
    file: 'packages/store/src/outbox/claim-lanes.ts',
    find: 'order by d.sequence limit 1) h',
    replace: 'order by d.sequence desc limit 1) h',
    noticedBy: ['outbox/supersede', 'outbox/model'],
  },
  {
    title: 'a claim takes what is not yet due',
    file: 'packages/store/src/outbox/claim-lanes.ts',
    find: '      and l.due_at <= now()\n',
    replace: '',
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'a claim mixes first tries and retries',
    file: 'packages/store/src/outbox/claim-lanes.ts',
    find: "l.state = 'ready' and l.retrying = ${retrying}::boolean\n",
    replace: "l.state = 'ready'\n",
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'a claim takes the newest lanes first',
    file: 'packages/store/src/outbox/claim-lanes.ts',
    find: 'order by l.due_at limit s.slots for',
    replace: 'order by l.due_at desc limit s.slots for',
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'a claim gives one destination more than its slots',
    file: 'packages/store/src/outbox/claim-lanes.ts',
    find: 'limit s.slots for update skip locked',
    replace: 'limit s.slots + 1 for update skip locked',
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'a paused destination is claimed',
    file: 'packages/store/src/outbox/claim-lanes.ts',
    find: " and t.status = 'active' and not ${isHeld}\n",
    replace: ' and not ${isHeld}\n',
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'a held destination is claimed',
    file: 'packages/store/src/outbox/claim-lanes.ts',
    find: " and t.status = 'active' and not ${isHeld}\n",
    replace: " and t.status = 'active'\n",
    noticedBy: ['outbox/holding'],
  },
  {
    title: 'a held destination is probed',
    file: 'packages/store/src/outbox/claim-lanes.ts',
    find: 't.next_probe_at <= now() and not ${isHeld}',
    replace: 't.next_probe_at <= now()',
    noticedBy: ['outbox/holding'],
  },
  {
    title: 'a body is narrowed only where it is newer than the list',
    file: 'packages/store/src/outbox/claim-lanes.ts',
    find: 'l.permission_version < s.permission_version then',
    replace: 'l.permission_version > s.permission_version then',
    noticedBy: ['outbox/permission'],
  },
  {
    title: 'a lease ends at once',
    file: 'packages/store/src/outbox/claim-lanes.ts',
    find: 'lease_until = now() + ${leaseMs}::integer * interval',
    replace: 'lease_until = now() + 0 * ${leaseMs}::integer * interval',
    noticedBy: ['outbox/claim.test', 'outbox/model'],
  },
  {
    title: 'a lease is extended that another host took over',
    file: 'packages/store/src/outbox/extend-leases.ts',
    find: `select m.* from mine m
  join lane l on l.destination = m.destination and l.ordering_key = m.ordering_key and l.pool = m.pool
  where l.lease_token = m.token
`,
    replace: `select m.place, m.pool, m.destination, m.ordering_key, l.lease_token as token from mine m
  join lane l on l.destination = m.destination and l.ordering_key = m.ordering_key and l.pool = m.pool
`,
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'a lane is given back that another host has',
    file: 'packages/store/src/outbox/give-back.ts',
    find: `select l.pool, l.destination, l.ordering_key, m.token from mine m
  join lane l on l.destination = m.destination and l.ordering_key = m.ordering_key and l.pool = m.pool
  where l.lease_token = m.token
`,
    replace: `select l.pool, l.destination, l.ordering_key, l.lease_token as token from mine m
  join lane l on l.destination = m.destination and l.ordering_key = m.ordering_key and l.pool = m.pool
`,
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'what was given back is claimed as if it had been tried',
    file: 'packages/store/src/outbox/give-back.ts',
    find: "set state = 'ready', current",
    replace: "set state = 'ready', retrying = true, current",
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'leases that still run are reclaimed',
    file: 'packages/store/src/outbox/reclaim-lanes.ts',
    find: 'l.lease_until < now()',
    replace: 'l.lease_until > now()',
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'what was in flight with a lost lease is not in doubt',
    file: 'packages/store/src/outbox/reclaim-lanes.ts',
    find: 'set in_doubt = true, state',
    replace: 'set in_doubt = d.in_doubt, state',
    noticedBy: ['outbox/claim.test', 'outbox/model'],
  },
  {
    title: 'what loses its lease again and again goes on for ever',
    file: 'packages/store/src/outbox/reclaim-lanes.ts',
    find: 'l.lost_leases + 1 >= ${retryScheduleMs.length}::integer',
    replace: 'l.lost_leases + 1 > ${retryScheduleMs.length}::integer',
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'a lost lease is not in the log of tries',
    file: 'packages/store/src/outbox/reclaim-lanes.ts',
    find: '  from doubted)\nselect',
    replace: '  from doubted where false)\nselect',
    noticedBy: ['outbox/claim.test'],
  },
  {
    title: 'a shorter hold shortens a longer one',
    file: 'packages/store/src/outbox/hold-destinations.ts',
    find: 'greatest(t.held_until,',
    replace: 'least(t.held_until,',
    noticedBy: ['outbox/holding'],
  },
  {
    title: 'a hold is taken for seconds',
    file: 'packages/store/src/outbox/hold-destinations.ts',
    find: "interval '1 millisecond'",
    replace: "interval '1 second'",
    noticedBy: ['outbox/holding'],
  },
  {
    title: 'a limit is counted without what was taken',
    file: 'packages/store/src/outbox/take-requests.ts',
    find: 'h.requests - out.taken) as granted',
    replace: 'h.requests) as granted',
    noticedBy: ['outbox/request-limit'],
  },
  {
    title: "what was taken comes back with the window's begin, not a window later",
    file: 'packages/store/src/outbox/take-requests.ts',
    find: ' + h.window_ms / 1000) as next_back',
    replace: ') as next_back',
    noticedBy: ['outbox/request-limit'],
  },
  {
    title: 'more is taken than is due',
    file: 'packages/store/src/outbox/take-requests.ts',
    find: 'least(h.slots, due.lanes, h.requests',
    replace: 'least(h.slots, h.requests',
    noticedBy: ['outbox/request-limit'],
  },
  {
    title: 'two hosts take one limit at once',
    file: 'packages/store/src/outbox/take-requests.ts',
    find: 'for update of r skip locked',
    replace: '',
    noticedBy: ['outbox/request-limit'],
  },
];
