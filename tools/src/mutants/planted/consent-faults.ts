import type { PlantedFault } from './planted-fault.ts';

/** Slips around what an operator has to approve. */
export const consentFaults: readonly PlantedFault[] = [
  {
    title: 'a destination stands for an installation that waits for approval',
    file: 'packages/store/src/configurations/destination-configurations.ts',
    find: "    .where('i.status', '=', 'installed')\n",
    replace: '',
    noticedBy: ['integration/consent'],
  },
  {
    title: 'a pool takes a default that waits for approval',
    file: 'packages/store/src/pools/pools.ts',
    find: "    .where('status', '=', 'installed')\n",
    replace: '',
    noticedBy: ['integration/consent'],
  },
  {
    title: 'a booking system that installs itself approves itself where it waited',
    file: 'packages/store/src/installations/install.ts',
    find: "if (former === 'pending') return madeBy === 'operator' ? 'installed' : 'pending';",
    replace: "if (former === 'pending') return 'installed';",
    noticedBy: ['integration/consent'],
  },
  {
    title: 'of several booking systems that are left the first becomes the default',
    file: 'packages/store/src/installations/consent.ts',
    find: ' having count(*) = 1',
    replace: ' having count(*) >= 1',
    noticedBy: ['integration/consent'],
  },
];
