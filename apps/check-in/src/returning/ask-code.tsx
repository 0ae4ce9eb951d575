import { useRef, useState } from 'preact/hooks';
import type { AskedCode } from '../draft/draft.ts';
import { Field } from '../fields/field.tsx';
import { onText } from '../fields/on-text.ts';
import { Refused } from '../host/calls.ts';
import { serviceNow } from '../host/clock.ts';
import { isShared } from '../host/session.ts';
import { useSigning } from '../screens/signing-context.ts';
import { fill } from '../text/fill.ts';
import { askForCode, exchangeCode, type Proof } from './calls.ts';
import { failureText, returningTexts } from './texts.ts';

interface AskCodeProps {
  readonly token: string;
  readonly asked: AskedCode | undefined;
  readonly onAsked: (asked: AskedCode | undefined) => void;
  readonly onProven: (proof: Proof) => void;
}

const looksLikeEmail = (email: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email);

/** Asks for an email address, then for the code sent to it. */
export function AskCode({ token, asked, onAsked, onProven }: AskCodeProps) {
  const { session, draft, words } = useSigning();
  const texts = returningTexts(draft.language);
  const [email, setEmail] = useState(asked?.email ?? '');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  /** Set at once, unlike `isBusy`: a second press may come before the next rendering. */
  const isUnderWay = useRef(false);

  const sentenceFor = (error: unknown) => {
    const { code: general, body } = error instanceof Refused ? error : new Refused('refused');
    if (body.code === 'code_wrong') return texts.codeWrong;
    if (body.code === 'code_ended') return texts.codeEnded;
    if (body.code === 'too_many_codes') return texts.tooMany;
    return failureText(texts, words, general);
  };
  const attempt = async (work: () => Promise<void>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setProblem(undefined);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setProblem(sentenceFor(error));
    }
    isUnderWay.current = false;
    setBusy(false);
  };
  const ask = () => {
    const address = email.trim();
    if (!looksLikeEmail(address)) {
      setProblem(texts.emailWrong);
      return;
    }
    void attempt(async () => {
      setCode('');
      const id = await askForCode(token, { email: address, language: draft.language });
      onAsked({ email: address, id, at: serviceNow().toISOString() });
    });
  };
  const exchange = ({ id, email: address }: AskedCode) => {
    const digits = code.replace(/\D/g, '');
    if (digits.length !== 6) {
      setProblem(texts.codeWrong);
      return;
    }
    void attempt(async () => onProven(await exchangeCode(token, { id, email: address, code: digits })));
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (asked === undefined) ask();
        else exchange(asked);
      }}
    >
      <p class="intro">
        {asked === undefined ? texts.askIntro : fill(texts.codeIntro, { email: asked.email })}
      </p>
      <div role="alert">{problem && <p class="note trouble">{problem}</p>}</div>
      {asked === undefined ? (
        <Field
          key="email"
          id="returning-email"
          label={texts.email}
          control={(props) => (
            <input
              {...props}
              type="email"
              inputMode="email"
              autocomplete={isShared(session) ? 'off' : 'email'}
              maxLength={254}
              value={email}
              {...onText(setEmail)}
            />
          )}
        />
      ) : (
        <Field
          key="code"
          id="returning-code"
          label={texts.code}
          control={(props) => (
            <input
              {...props}
              inputMode="numeric"
              autocomplete="one-time-code"
              dir="ltr"
              maxLength={12}
              value={code}
              {...onText(setCode)}
            />
          )}
        />
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {asked === undefined ? texts.send : words.next}
        </button>
        {asked !== undefined && (
          <button type="button" class="quiet" onClick={() => onAsked(undefined)}>
            {texts.otherCode}
          </button>
        )}
      </div>
    </form>
  );
}
