import { createContext, useContext } from 'react';
import type { Tick } from './ticks.ts';

/** What the rows of a day have in common. */
export interface ShownDayContext {
  readonly timeZone: string;
  /** Undefined for those who may not. */
  readonly tick: ((tick: Tick) => void) | undefined;
}

export const ShownDay = createContext<ShownDayContext>({ timeZone: 'UTC', tick: undefined });
export const useShownDay = () => useContext(ShownDay);
