import { useMemo, useState } from 'react';
import type { BookingAnswer, ReadStep } from '../../api/resources.ts';
import { JsonView } from '../../components/copyable.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Card } from '../../components/layout.tsx';
import { Notice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { count } from '../../text/formats.ts';
import styles from './integration.module.css';
import { parsed } from './read-steps.tsx';

/** How a value on one side relates to the other side. */
type Mark =
  /** Another value at the same place. */
  | 'changed'
  /** The same value at another place. */
  | 'moved'
  /** Nowhere on the other side. */
  | 'unmatched';

/** A line of indented JSON. */
interface JsonLine {
  readonly depth: number;
  readonly text: string;
  /** Such as `guests[2].name`. */
  readonly path: string;
  /** Undefined for brackets, and for values that are the same on both sides. */
  readonly mark: Mark | undefined;
}

type Leaves = ReadonlyMap<string, unknown>;

const hasParts = (value: unknown): value is object => typeof value === 'object' && value !== null;

function partsOf(value: object, path: string): [path: string, label: string, value: unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [`${path}[${index}]`, '', item]);
  return Object.entries(value).map(([name, item]) => [
    path === '' ? name : `${path}.${name}`,
    `${JSON.stringify(name)}: `,
    item,
  ]);
}

function leavesOf(value: unknown, path = '', leaves = new Map<string, unknown>()): Leaves {
  if (!hasParts(value)) leaves.set(path, value);
  else for (const [inner, , item] of partsOf(value, path)) leavesOf(item, inner, leaves);
  return leaves;
}

// By their string forms: a number and its string count as equal, except at the same path, where the change is marked.
const valuesOf = (values: readonly unknown[]) =>
  new Set(values.flatMap((value) => [...leavesOf(value).values()].map(String)));

interface Other {
  readonly leaves: Leaves;
  readonly values: ReadonlySet<string>;
}

function markOf(path: string, value: unknown, { leaves, values }: Other): Mark | undefined {
  if (leaves.has(path)) return leaves.get(path) === value ? undefined : 'changed';
  return values.has(String(value)) ? 'moved' : 'unmatched';
}

function linesOf(value: unknown, other: Other): JsonLine[] {
  const lines: JsonLine[] = [];
  const write = (item: unknown, path: string, depth: number, label: string, end: string) => {
    if (!hasParts(item)) {
      const mark = markOf(path, item, other);
      lines.push({ depth, path, text: `${label}${JSON.stringify(item)}${end}`, mark });
      return;
    }
    const [open, close] = Array.isArray(item) ? '[]' : '{}';
    const parts = partsOf(item, path);
    if (parts.length === 0) {
      lines.push({ depth, path, text: `${label}${open}${close}${end}`, mark: undefined });
      return;
    }
    lines.push({ depth, path, text: `${label}${open}`, mark: undefined });
    parts.forEach(([inner, name, part], index) => {
      write(part, inner, depth + 1, name, index === parts.length - 1 ? '' : ',');
    });
    lines.push({ depth, path: '', text: `${close}${end}`, mark: undefined });
  };
  write(value, '', 0, '', '');
  return lines;
}

/**
 * A response and the booking made from it, line by line, with their differences marked.
 *
 * @param others - further responses that the booking was made from
 */
export function compareJson(answer: unknown, result: unknown, others: readonly unknown[] = []) {
  return {
    answer: linesOf(answer, { leaves: leavesOf(result), values: valuesOf([result]) }),
    result: linesOf(result, { leaves: leavesOf(answer), values: valuesOf([answer, ...others]) }),
  };
}

interface ComparedBookingProps {
  readonly booking: object;
  readonly warnings: BookingAnswer['warnings'];
  readonly steps: readonly ReadStep[];
}

interface RawAnswer {
  readonly label: string;
  readonly text: string;
  /** Undefined if the response is not JSON, or was too large to be shown whole. */
  readonly json: unknown;
}

function answersIn(steps: readonly ReadStep[]): RawAnswer[] {
  return steps.flatMap(({ exchange }) => {
    if (exchange?.answer === undefined) return [];
    const { method, url, answer } = exchange;
    return [
      {
        label: `${method} ${url}`,
        text: answer.text,
        json: answer.isWhole ? parsed(answer.text, undefined) : undefined,
      },
    ];
  });
}

/** The booking system’s response beside the booking made from it, with their differences marked. */
export function ComparedBooking({ booking, warnings, steps }: ComparedBookingProps) {
  const answers = useMemo(() => answersIn(steps), [steps]);
  const [chosen, setChosen] = useState<string>();
  // The last response usually contains the booking; earlier ones are lookups.
  const place = chosen === undefined ? answers.length - 1 : Number(chosen);
  const answer = answers[place];
  const lines = useMemo(
    () =>
      compareJson(
        answer?.json,
        booking,
        answers.map(({ json }) => json),
      ),
    [answer, answers, booking],
  );
  return (
    <Card title="Response and booking">
      <p className="muted">Lines without a mark are the same on both sides. The response is not stored.</p>
      {answers.length > 1 ? (
        <ChoiceField
          label="Response to"
          value={String(place)}
          choices={answers.map(({ label }, index) => [String(index), label] as const)}
          onChange={setChosen}
        />
      ) : null}
      <div className={styles.sides}>
        <div className={styles.side}>
          <h3>Raw response</h3>
          {answer === undefined ? (
            <Notice>There is no response to show: this is the last known booking.</Notice>
          ) : answer.json === undefined ? (
            <JsonView value={answer.text} label="Raw response" />
          ) : (
            <Lines lines={lines.answer} warnings={warnings} label="Raw response" side="answer" />
          )}
        </div>
        <div className={styles.side}>
          <h3>{texts.bookings.normalized}</h3>
          <Lines lines={lines.result} warnings={[]} label={texts.bookings.normalized} side="result" />
        </div>
      </div>
    </Card>
  );
}

interface LinesProps {
  readonly lines: readonly JsonLine[];
  readonly warnings: BookingAnswer['warnings'];
  readonly label: string;
  readonly side: 'answer' | 'result';
}

const marks = {
  answer: { changed: 'changed', moved: 'used elsewhere', unmatched: 'not used' },
  result: { changed: 'changed', moved: 'from elsewhere', unmatched: 'added' },
};

// Enough for a page; the steps show the whole response.
const maxLines = 2_000;

function Lines({ lines, warnings, label, side }: LinesProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.lines} tabIndex={0} aria-label={label}>
      {lines.slice(0, maxLines).map(({ depth, text, path, mark }, index) => (
        <div key={index} className={mark === undefined ? styles.line : `${styles.line} ${styles[mark]}`}>
          {'  '.repeat(depth)}
          {text}
          {mark === undefined ? null : <span className={styles.mark}>{marks[side][mark]}</span>}
          {path === ''
            ? null
            : warnings
                .filter((warning) => warning.path === path)
                .map(({ code, message }) => (
                  <p key={code} className={styles.warning}>
                    {message}
                  </p>
                ))}
        </div>
      ))}
      {lines.length > maxLines ? (
        <p className="muted">{`${count(lines.length - maxLines)} more lines`}</p>
      ) : null}
    </section>
  );
}
