import { createContext, useContext } from 'react';
import type { Tick } from './ticks.ts';

/** Shared by the rows of a day. */
export interface ShownDayContext {
  readonly timeZone: string;
  /** Undefined for people who may not tick guests. */
  readonly tick: ((tick: Tick) => void) | undefined;
}

export const ShownDay = createContext<ShownDayContext>({ timeZone: 'UTC', tick: undefined });
export const useShownDay = () => useContext(ShownDay);
