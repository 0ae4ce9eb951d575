import type { Cells } from '../../src/cells/cells.ts';

/** For an app whose routes send nothing on. */
export const noCells: Pick<Cells, 'mayBeElsewhere' | 'sendOn' | 'stopWaiting'> = {
  mayBeElsewhere: async () => false,
  sendOn: async () => {
    throw new Error('there are no other cells');
  },
  stopWaiting: () => {},
};
