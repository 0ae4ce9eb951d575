import { type SignItem, type SignMethod, type Stroke, signingLimits } from '@waiver-service/forms';
import type { TargetedPointerEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { actOn, type Done, withAct } from '../draft/draft.ts';
import { useItemProblem, useSigning } from '../screens/signing-context.ts';
import { signatureTitle } from '../steps/steps.ts';
import { Choice, Field, onText, Problem } from './field.tsx';
import { FormText } from './form-text.tsx';

/** In pixels of the pad on which the drawing was begun. */
interface Drawing {
  readonly strokes: readonly Stroke[];
  readonly width: number;
  readonly height: number;
}

/** Shorter movements are dropped as sensor noise. */
const minMovement = 1.5;

export const emptyDrawing = (width: number, height: number): Drawing => ({
  strokes: [],
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
});

const countPoints = ({ strokes }: Drawing) => strokes.reduce((count, { length }) => count + length, 0);

/** Whether no more can be drawn. */
export const isFull = (drawing: Drawing): boolean =>
  drawing.strokes.length >= signingLimits.strokes || countPoints(drawing) >= signingLimits.points;

const within = (value: number, max: number) => Math.round(Math.min(Math.max(value, 0), max));

/** Extends the last stroke, or begins another. */
export function withPoint(drawing: Drawing, [x, y, ms]: Stroke[number], isNewStroke: boolean): Drawing {
  const { strokes, width, height } = drawing;
  // Clamped: a finger that leaves the pad draws along its edge.
  const point = [within(x, width), within(y, height), within(ms, signingLimits.strokeMs)] as const;
  const current = isNewStroke ? undefined : strokes.at(-1);
  if (current === undefined)
    return isFull(drawing) ? drawing : { ...drawing, strokes: [...strokes, [point]] };
  const [lastX = 0, lastY = 0] = current.at(-1) ?? [];
  if (Math.hypot(point[0] - lastX, point[1] - lastY) < minMovement) return drawing;
  if (countPoints(drawing) >= signingLimits.points) return drawing;
  return { ...drawing, strokes: [...strokes.slice(0, -1), [...current, point]] };
}

/** A stroke as an SVG path, smoothed through the midpoints of neighboring points. */
export function pathOf(stroke: Stroke): string {
  const [first, ...others] = stroke;
  if (first === undefined) return '';
  const start = `M${first[0]} ${first[1]}`;
  const last = others.at(-1);
  // A dot: round line caps make a zero-length line visible.
  if (last === undefined) return `${start}h0`;
  const curves = others.slice(0, -1).map(([x, y], index) => {
    const [nextX = x, nextY = y] = others[index + 1] ?? [];
    return `Q${x} ${y} ${(x + nextX) / 2} ${(y + nextY) / 2}`;
  });
  return `${start}${curves.join('')}L${last[0]} ${last[1]}`;
}

/** A drawing as vector lines, which survive rotation, scrolling and zooming. */
export function DrawingView({ strokes, width, height }: Drawing) {
  return (
    <svg class="drawing" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {strokes.map((stroke, index) => (
        <path key={index} d={pathOf(stroke)} />
      ))}
    </svg>
  );
}

interface SignaturePadProps {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly drawing: Drawing | undefined;
  readonly onDraw: (drawing: Drawing | undefined) => void;
}

/** Converts screen coordinates to the drawing's, whatever the pad's current size. */
function toDrawing(
  pad: Element,
  { width, height }: Drawing,
  { clientX, clientY }: PointerEvent,
): [number, number] {
  const box = pad.getBoundingClientRect();
  const scale = Math.min(box.width / width, box.height / height) || 1;
  const left = box.left + (box.width - width * scale) / 2;
  const top = box.top + (box.height - height * scale) / 2;
  return [(clientX - left) / scale, (clientY - top) / scale];
}

const eventsOf = (event: PointerEvent): readonly PointerEvent[] => {
  const all = event.getCoalescedEvents?.() ?? [];
  return all.length > 0 ? all : [event];
};

/** When the last stroke ended, in milliseconds since the first point. */
const lastMs = (strokes: readonly Stroke[]): number => strokes.at(-1)?.at(-1)?.[2] ?? 0;

/** A stroke in progress: the draft changes only when it ends. */
interface StrokeUnderWay {
  readonly pointer: number;
  readonly drawing: Drawing;
}

function SignaturePad({ id, describedBy, isInvalid, drawing, onDraw }: SignaturePadProps) {
  const { words } = useSigning();
  const [underWay, setUnderWay] = useState<StrokeUnderWay>();
  // A ref, because pointer events arrive faster than the page renders.
  const latest = useRef<StrokeUnderWay | undefined>(undefined);
  const startedAt = useRef<number | undefined>(undefined);
  const set = (next: StrokeUnderWay | undefined) => {
    latest.current = next;
    setUnderWay(next);
  };

  const add = (pad: Element, before: Drawing, event: PointerEvent, isNewStroke: boolean): Drawing => {
    const ms = event.timeStamp - (startedAt.current ?? event.timeStamp);
    return withPoint(before, [...toDrawing(pad, before, event), ms], isNewStroke);
  };
  const begin = (event: TargetedPointerEvent<HTMLElement>) => {
    // Ignore a second finger, and the palm of the hand that holds the pen.
    if (!event.isPrimary || event.button !== 0 || latest.current !== undefined) return;
    const pad = event.currentTarget;
    pad.setPointerCapture(event.pointerId);
    const { width, height } = pad.getBoundingClientRect();
    const before = drawing ?? emptyDrawing(width, height);
    // After a reload, the time continues from the drawing's last point.
    if (drawing === undefined || startedAt.current === undefined) {
      startedAt.current = event.timeStamp - lastMs(before.strokes);
    }
    set({ pointer: event.pointerId, drawing: add(pad, before, event, true) });
  };
  const move = (event: TargetedPointerEvent<HTMLElement>) => {
    const pad = event.currentTarget;
    const { current } = latest;
    if (current === undefined || current.pointer !== event.pointerId) return;
    const extended = eventsOf(event).reduce((before, one) => add(pad, before, one, false), current.drawing);
    set({ ...current, drawing: extended });
  };
  const end = (event: TargetedPointerEvent<HTMLElement>) => {
    const { current } = latest;
    if (current === undefined || current.pointer !== event.pointerId) return;
    set(undefined);
    onDraw(current.drawing);
  };

  const shown = underWay?.drawing ?? drawing;
  return (
    <div class="signature">
      <div
        id={id}
        class="pad"
        role="img"
        // Focused when the signature is missing: nothing else of the pad takes the focus while it is empty.
        tabIndex={-1}
        aria-label={shown === undefined ? words.signature.empty : words.signature.drawn}
        aria-describedby={describedBy}
        data-invalid={isInvalid}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      >
        {shown === undefined ? (
          <span class="pad-hint">{words.signature.drawHere}</span>
        ) : (
          <DrawingView {...shown} />
        )}
      </div>
      <div class="pad-actions">
        <span class="help" role="status">
          {drawing !== undefined && isFull(drawing) && <span>{words.signature.isFull}</span>}
        </span>
        <button type="button" class="quiet" disabled={shown === undefined} onClick={() => onDraw(undefined)}>
          {words.signature.clear}
        </button>
      </div>
    </div>
  );
}

type Signature = Extract<Done, { act: 'sign' }>;

/** A signature, drawn or typed: both are equally valid, and switching discards neither. */
export function SignatureField({ item, guest }: { readonly item: SignItem; readonly guest: number | null }) {
  const { words, draft, change } = useSigning();
  const problem = useItemProblem(item.id, guest);
  const act = actOn(draft, item.id, guest);
  const signed = act?.act === 'sign' ? act : undefined;
  const [method, setMethod] = useState<SignMethod>(signed?.method ?? item.methods[0] ?? 'type');
  // Keeps the drawing for a guest who switches to typing and back.
  const drafts = useRef<Partial<Record<SignMethod, Signature>>>({});
  // A signature is given to the text in one language.
  useLayoutEffect(() => {
    drafts.current = {};
  }, [draft.language]);

  const sign = (done: Signature | undefined, by: SignMethod = method) => {
    drafts.current = { ...drafts.current, [by]: done };
    change((former) => withAct(former, item.id, guest, done, new Date()));
  };
  const choose = (next: SignMethod) => {
    if (signed !== undefined) drafts.current = { ...drafts.current, [signed.method]: withoutPlace(signed) };
    setMethod(next);
    sign(drafts.current[next], next);
  };

  const id = `sign-${item.id}-${guest ?? 'all'}`;
  const title = signatureTitle(draft, guest, words);
  const drawing: Drawing | undefined = signed?.method === 'draw' ? signed : undefined;
  const describedBy = `${id}-statement${problem ? ` ${id}-problem` : ''}`;
  return (
    <section class={problem ? 'card sign invalid' : 'card sign'} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-statement`}>
        <FormText text={item.statement} />
      </div>
      {item.methods.length > 1 && (
        <fieldset>
          <legend class="help">{words.signature.how}</legend>
          <div class="choices side-by-side">
            {item.methods.map((one) => (
              <Choice
                key={one}
                type="radio"
                name={`${id}-method`}
                isChosen={method === one}
                onChoose={() => choose(one)}
              >
                {words.signature[one]}
              </Choice>
            ))}
          </div>
        </fieldset>
      )}
      {method === 'type' ? (
        <Field
          id={id}
          label={words.signature.typeHere}
          problem={problem}
          control={(props) => (
            <input
              {...props}
              class="typed-signature"
              aria-describedby={describedBy}
              autocomplete="off"
              spellcheck={false}
              maxLength={signingLimits.name}
              value={signed?.method === 'type' ? signed.name : ''}
              {...onText((value) =>
                sign(value === '' ? undefined : { act: 'sign', method: 'type', name: value }),
              )}
            />
          )}
        />
      ) : (
        <>
          <Problem id={id} problem={problem} />
          <SignaturePad
            id={id}
            describedBy={describedBy}
            isInvalid={problem !== undefined}
            drawing={drawing}
            onDraw={(drawn) => sign(drawn && { act: 'sign', method: 'draw', ...drawn })}
          />
        </>
      )}
    </section>
  );
}

function withoutPlace(signature: Signature): Signature {
  if (signature.method === 'type') return { act: 'sign', method: 'type', name: signature.name };
  const { strokes, width, height } = signature;
  return { act: 'sign', method: 'draw', strokes, width, height };
}
