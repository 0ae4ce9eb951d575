import { type Stroke, signingLimits } from '@waiver-service/forms';

/** In pixels of the pad on which the drawing was begun. */
export interface Drawing {
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
