import type { Cells } from '../../src/cells/cells.ts';

/** For an app whose routes send nothing on. */
export const noCells: Pick<Cells, 'hasLeft' | 'sendOn' | 'stopWaiting'> = {
  hasLeft: async () => false,
  sendOn: async () => {
    throw new Error('there are no other cells');
  },
  stopWaiting: () => {},
};
