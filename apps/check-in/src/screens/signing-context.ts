import type { Sentences, SigningProblem } from '@waiver-service/forms';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Draft } from '../draft/draft.ts';
import type { CheckInSession } from '../host/calls.ts';
import type { Words } from '../text/words.ts';

/** The state that every screen of a signing reads. */
export interface SigningContext {
  readonly session: CheckInSession;
  readonly draft: Draft;
  readonly change: (update: (draft: Draft) => Draft) => void;
  readonly words: Words;
  readonly sentences: Sentences;
  /** The problems found when the guest tried to continue, and not fixed yet. */
  readonly problems: readonly SigningProblem[];
}

export const SigningContext = createContext<SigningContext | undefined>(undefined);

export function useSigning(): SigningContext {
  const context = useContext(SigningContext);
  if (context === undefined) throw new Error('no signing is open');
  return context;
}

/** An item's error message. */
export function useItemProblem(item: string, guest: number | null): string | undefined {
  return useSigning().problems.find((one) => one.item === item && one.guest === guest)?.message;
}

/** The error message of a field that is not an item of the form, such as `signer.guardian.name`. */
export function useFieldProblem(field: string): string | undefined {
  return useSigning().problems.find((one) => one.item === null && one.field === field)?.message;
}
