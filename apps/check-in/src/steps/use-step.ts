import { useEffect, useState } from 'preact/hooks';
import type { Step } from './steps.ts';

const idInAddress = () => decodeURIComponent(location.hash.slice(1));
const addressOf = ({ id }: Step) => `#${encodeURIComponent(id)}`;

/** The current screen, synchronized with the browser's history. */
interface StepPosition {
  readonly step: Step;
  readonly go: (step: Step) => void;
  /** Same as the browser's back button. Undefined on the first screen. */
  readonly back: (() => void) | undefined;
}

/** Resumes at the screen where the guest left off, with the previous screens in the history. */
export function resumeAt(steps: readonly Step[], stepId: string | undefined): void {
  if (idInAddress() !== '') return;
  const last = steps.findIndex(({ id }) => id === stepId);
  for (const [index, step] of steps.slice(0, last + 1).entries()) {
    if (index === 0) history.replaceState({}, '', addressOf(step));
    else history.pushState({ from: steps[index - 1]?.id }, '', addressOf(step));
  }
}

/**
 * The screen in the URL, limited to those that may be shown.
 * @param first - the index of the first such screen
 * @param last - the index of the last one: the first that is incomplete
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
    // A guest who was led back stays on that screen until they continue, even once it is complete.
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
    // The previous history entry may be another site.
    if (history.state?.from === former.id) history.back();
    else {
      history.replaceState({}, '', addressOf(former));
      setId(former.id);
    }
  };
  return { step, go, back: former && back };
}
