import type { Cells } from '../../src/cells/cells.ts';

/** For an app whose routes send nothing on. */
export const noCells: Pick<Cells, 'sendOn'> = {
  sendOn: async () => {
    throw new Error('there are no other cells');
  },
};
