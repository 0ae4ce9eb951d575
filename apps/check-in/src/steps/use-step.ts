import { useEffect, useState } from 'preact/hooks';
import type { Step } from './steps.ts';

const idInAddress = () => decodeURIComponent(location.hash.slice(1));
const addressOf = ({ id }: Step) => `#${encodeURIComponent(id)}`;

/** Where someone is among the screens, in step with the browser's history. */
export interface StepPosition {
  readonly step: Step;
  readonly go: (step: Step) => void;
  /** One screen back, as the browser's button does it. Undefined on the first screen. */
  readonly back: (() => void) | undefined;
}

/** Goes on where someone left off, with the screens before it in the history. */
export function resumeAt(steps: readonly Step[], stepId: string | undefined): void {
  if (idInAddress() !== '') return;
  const last = steps.findIndex(({ id }) => id === stepId);
  for (const [index, step] of steps.slice(0, last + 1).entries()) {
    if (index === 0) history.replaceState({}, '', addressOf(step));
    else history.pushState({ from: steps[index - 1]?.id }, '', addressOf(step));
  }
}

/**
 * The screen that the address names.
 * @param first - the index of the first screen that is shown
 * @param last - of the last one: that on which something is missing
 */
export function useStep(steps: readonly Step[], first: number, last: number): StepPosition {
  const [id, setId] = useState(idInAddress);
  useEffect(() => {
    const follow = () => setId(idInAddress());
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const wanted = steps.findIndex((step) => step.id === id);
  const index = Math.min(Math.max(wanted, first), last);
  const step = steps[index];
  if (step === undefined) throw new Error('there is no screen');

  useEffect(() => {
    if (idInAddress() !== step.id) history.replaceState({}, '', addressOf(step));
    // Whoever was led back stays there until they go on, even once nothing is missing any more.
    setId(step.id);
  }, [step.id]);

  const go = (next: Step) => {
    if (next.id === step.id) return;
    history.pushState({ from: step.id }, '', addressOf(next));
    setId(next.id);
  };
  const former = steps[index - 1];
  const back = () => {
    if (former === undefined) return;
    // Only within this page: the entry before may be another site.
    if (history.state?.from === former.id) history.back();
    else {
      history.replaceState({}, '', addressOf(former));
      setId(former.id);
    }
  };
  return { step, go, back: former && back };
}
