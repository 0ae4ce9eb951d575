import { useRef, useState } from 'preact/hooks';
import { newId, type Signed } from '../draft/draft.ts';
import { Choice, Field, FieldGroup, onSubmit, onText } from '../fields/field.tsx';
import { Refused, type StoredSigning } from '../host/calls.ts';
import { useSigning } from '../screens/signing-context.ts';
import { fill, returningTroubleText } from '../text/words.ts';
import {
  bySigning,
  type ComingPerson,
  EarlierSigning,
  type Proof,
  type ReturningPerson,
  type Reuse,
  sendReuse,
} from './earlier-signing.tsx';

interface ConfirmProps {
  readonly token: string;
  readonly proof: Proof;
  readonly people: readonly ReturningPerson[];
  /** Whether a confirmation is being sent. */
  readonly isBusy: boolean;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onConfirmed: (confirmed: Omit<Signed, 'language'>) => void;
  /** Called with the people who sign again, with their answers prefilled. */
  readonly onChanged: (people: readonly ComingPerson[]) => void;
}

/** The confirmation for the people of one signing, as first sent. */
interface SentReuse {
  readonly reuse: Reuse;
  /** Set once the response has arrived. */
  stored?: StoredSigning;
}

/** Which guest of the booking each person is: by name on a link to one guest, otherwise by choice. */
function useBookedGuests(people: readonly ReturningPerson[]) {
  const { session } = useSigning();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const isTold = people.some(({ isGuestOfLink }) => isGuestOfLink);
  return {
    free: isTold ? [] : session.guests.filter(({ signed }) => !signed),
    guestOf(person: ReturningPerson, coming: readonly ReturningPerson[]): string | null {
      if (!isTold) return chosen[person.waiver] || null;
      const isGuest = coming.find(({ isGuestOfLink }) => isGuestOfLink) === person;
      return isGuest ? (session.guests[0]?.bookingGuestId ?? null) : null;
    },
    // An empty string: none.
    choose: ({ waiver }: ReturningPerson, guest: string) => setChosen((now) => ({ ...now, [waiver]: guest })),
  };
}

/** Asks who is coming, and whether everything is still correct. */
export function Confirm(props: ConfirmProps) {
  const { token, proof, people, isBusy, onBusy, onConfirmed, onChanged } = props;
  const { draft, words } = useSigning();
  const { returning: texts } = words;
  const [coming, setComing] = useState(people.length === 1 ? people.map(({ waiver }) => waiver) : []);
  const [health, setHealth] = useState<'same' | 'changed'>();
  const [problem, setProblem] = useState<'who' | 'health' | { readonly text: string }>();
  const { free, guestOf, choose } = useBookedGuests(people);
  // By content. After a lost response, the same confirmation is resent with its first times: a different one is
  // refused.
  const sent = useRef(new Map<string, SentReuse>());
  const openedAt = useRef(new Date().toISOString());
  /** Set at once, unlike `isBusy`: a second press may come before the next rendering. */
  const isUnderWay = useRef(false);

  const chosen: readonly ComingPerson[] = people
    .filter(({ waiver }) => coming.includes(waiver))
    .map((person, _, all) => ({ ...person, bookingGuestId: guestOf(person, all) }));
  const setWhetherComing = (person: ReturningPerson, isComing: boolean) => {
    setComing((now) => (isComing ? [...now, person.waiver] : now.filter((one) => one !== person.waiver)));
    // Someone else may choose their guest of the booking meanwhile.
    if (!isComing) choose(person, '');
  };
  const groups = bySigning(chosen);
  const healthQuestions = [...new Set(chosen.flatMap(({ questions }) => questions.health ?? []))];
  const questionOf = (group: readonly ReturningPerson[]) => {
    const [first] = group;
    return group.some(({ isMinor }) => isMinor) ? first?.questions.guardianText : first?.questions.text;
  };

  const reuseOf = (group: readonly ComingPerson[], confirmedAt: string): SentReuse => {
    const content = {
      language: draft.language,
      people: group.map(({ waiver, bookingGuestId }) =>
        bookingGuestId ? { waiver, bookingGuestId } : { waiver },
      ),
      ...(health === 'same' ? { healthUnchanged: true as const } : {}),
    };
    const key = JSON.stringify(content);
    const { translatedAt } = draft;
    const times = {
      openedAt: openedAt.current,
      confirmedAt,
      ...(translatedAt === undefined ? {} : { translatedAt }),
    };
    const one = sent.current.get(key) ?? { reuse: { id: newId(), ...content, times } };
    sent.current.set(key, one);
    return one;
  };
  const send = async (confirmedAt: string) => {
    const stored: StoredSigning[] = [];
    for (const group of groups) {
      const one = reuseOf(group, confirmedAt);
      one.stored ??= await sendReuse(token, one.reuse, proof);
      stored.push(one.stored);
    }
    const [first] = stored;
    if (first !== undefined)
      onConfirmed({
        id: first.id,
        receivedAt: first.receivedAt,
        copies: stored.map(({ copy }) => copy.url),
        names: chosen.map(({ name }) => name ?? ''),
      });
  };
  const confirm = async () => {
    if (isUnderWay.current) return;
    if (chosen.length === 0) {
      setProblem('who');
      return;
    }
    if (healthQuestions.length > 0 && health === undefined) {
      setProblem('health');
      return;
    }
    if (health === 'changed') {
      onChanged(chosen);
      return;
    }
    setProblem(undefined);
    isUnderWay.current = true;
    onBusy(true);
    try {
      await send(new Date().toISOString());
    } catch (error) {
      const { code, body } = error instanceof Refused ? error : new Refused('refused');
      setProblem({
        text:
          body.code === 'sign_again' || body.code === 'proof_ended'
            ? texts.signAgain
            : returningTroubleText(words, code),
      });
      isUnderWay.current = false;
      onBusy(false);
    }
  };

  return (
    <form noValidate onSubmit={onSubmit(() => void confirm())}>
      {people.length > 1 && (
        <FieldGroup
          id="who-comes"
          label={texts.whoComes}
          problem={problem === 'who' && chosen.length === 0 ? texts.noneChosen : undefined}
        >
          <div class="choices">
            {people.map((person) => (
              <Choice
                key={person.waiver}
                type="checkbox"
                name="who-comes"
                isChosen={coming.includes(person.waiver)}
                onChoose={(isChosen) => setWhetherComing(person, isChosen)}
              >
                <bdi>{person.name}</bdi>
              </Choice>
            ))}
          </div>
        </FieldGroup>
      )}
      {free.length > 0 &&
        chosen.map((person) => (
          <Field
            key={person.waiver}
            id={`guest-of-${person.waiver}`}
            label={fill(texts.inBooking, { name: person.name ?? '' })}
            control={(props) => (
              <select
                {...props}
                value={person.bookingGuestId ?? ''}
                {...onText((guest) => choose(person, guest))}
              >
                <option value="">{words.children.notListed}</option>
                {free
                  .filter(({ bookingGuestId }) =>
                    chosen.every((one) => one === person || one.bookingGuestId !== bookingGuestId),
                  )
                  .map(({ bookingGuestId, label }) => (
                    <option key={bookingGuestId} value={bookingGuestId}>
                      {label}
                    </option>
                  ))}
              </select>
            )}
          />
        ))}
      {groups.map((group) => (
        <div key={group[0]?.signing}>
          <EarlierSigning token={token} proof={proof} people={group} />
          <p class="lead notranslate" translate={false}>
            {questionOf(group)}
          </p>
        </div>
      ))}
      {healthQuestions.length > 0 && (
        <FieldGroup
          id="health-changed"
          label={healthQuestions.join(' ')}
          isVerbatim
          problem={problem === 'health' && health === undefined ? texts.healthMissing : undefined}
        >
          <div class="choices">
            {(['same', 'changed'] as const).map((one) => (
              <Choice
                key={one}
                type="radio"
                name="health-changed"
                isChosen={health === one}
                onChoose={() => setHealth(one)}
              >
                {one === 'same' ? texts.healthNo : texts.healthYes}
              </Choice>
            ))}
          </div>
        </FieldGroup>
      )}
      <div role="alert">{typeof problem === 'object' && <p class="note trouble">{problem.text}</p>}</div>
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? words.check.sending : texts.confirm}
        </button>
        <button
          type="button"
          class="secondary"
          aria-describedby="changed-help"
          disabled={isBusy}
          onClick={() => onChanged(chosen.length === 0 ? [] : chosen)}
        >
          {texts.changed}
        </button>
        <p class="help" id="changed-help">
          {texts.changedHelp}
        </p>
      </div>
    </form>
  );
}
