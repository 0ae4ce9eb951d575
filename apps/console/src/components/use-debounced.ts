import { useEffect, useState } from 'react';

const pauseMs = 300;

/**
 * A text that a person types, which counts once the typing pauses.
 * @param apply - called with the text then
 */
export function useDebounced(value: string, apply: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => apply(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed, value, apply]);
  return [typed, setTyped] as const;
}
