import type { InputHTMLAttributes } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { onSubmit, onText, Problem } from '../fields/field.tsx';
import { Refused } from '../host/calls.ts';
import { pairTablet } from './device.ts';
import type { KioskWords } from './text/words.ts';

interface CodeFieldProps {
  readonly id: string;
  readonly label: string;
  readonly problem: string | undefined;
  readonly input: InputHTMLAttributes<HTMLInputElement>;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A code to type on a kiosk, with what was wrong with the last one. */
export function CodeField({ id, label, problem, input, value, onInput }: CodeFieldProps) {
  return (
    <div class={problem ? 'field invalid' : 'field'}>
      <label class="label" for={id}>
        {label}
      </label>
      <div role="alert">
        <Problem id={id} problem={problem} />
      </div>
      <input
        id={id}
        class="code"
        autocomplete="off"
        {...input}
        aria-describedby={problem && `${id}-problem`}
        value={value}
        {...onText(onInput)}
      />
    </div>
  );
}

interface PairingProps {
  readonly words: KioskWords;
  readonly canKeep: boolean;
  /** Whether the previous pairing was ended elsewhere. */
  readonly hasEnded: boolean;
  readonly onPaired: (token: string) => void;
}

const problemOf = ({ pair }: KioskWords, error: unknown): string => {
  const code = error instanceof Refused ? error.code : 'offline';
  if (code === 'pairing_code_wrong') return pair.wrong;
  return code === 'too_many_requests' ? pair.tooMany : pair.offline;
};

/** Pairs this tablet as a kiosk, with a code from the console. */
export function Pairing({ words, canKeep, hasEnded, onPaired }: PairingProps) {
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  /** Set at once, unlike `isBusy`: a second press may come before the next rendering. */
  const isUnderWay = useRef(false);
  const [problem, setProblem] = useState<string>();
  if (!canKeep) return <p class="note">{words.pair.cannotKeep}</p>;
  const pair = async () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      onPaired(await pairTablet(code));
    } catch (error) {
      setProblem(problemOf(words, error));
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  return (
    <form onSubmit={onSubmit(() => void pair())}>
      {hasEnded && <p class="note">{words.pair.ended}</p>}
      <p class="intro">{words.pair.intro}</p>
      <CodeField
        id="pairing-code"
        label={words.pair.code}
        problem={problem}
        input={{ dir: 'ltr', autocapitalize: 'characters', spellcheck: false, maxLength: 40 }}
        value={code}
        onInput={setCode}
      />
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy || code.trim() === ''}>
          {isBusy ? words.pair.pairing : words.pair.pair}
        </button>
      </div>
    </form>
  );
}
