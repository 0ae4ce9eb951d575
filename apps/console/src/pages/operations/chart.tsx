import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatDay, formatDayAndTime, formatTimeOfDay } from '../../text/formats.ts';
import styles from './operations.module.css';

/** One line or area of a chart; `color` names a custom property of the theme. */
export interface Series {
  readonly label: string;
  readonly color: `--${string}`;
  readonly values: readonly (number | null)[];
  readonly isFilled?: boolean;
}

interface ChartProps {
  /** Describes the chart in a sentence, for screen readers. */
  readonly summary: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly unit?: string;
}

const height = 190;

/** The date at midnight, otherwise the time of day. */
function tickLabel(seconds: number): string {
  const at = new Date(seconds * 1_000);
  return at.getHours() === 0 && at.getMinutes() === 0 ? formatDay(at) : formatTimeOfDay(at);
}

/** The width of an axis's labels, which are null at first. */
const widthOf = (_chart: uPlot, labels: readonly string[] | null) =>
  20 + 8 * Math.max(3, ...(labels ?? []).map(({ length }) => length));

function optionsFor(element: HTMLElement, { series, unit = '' }: ChartProps): uPlot.Options {
  const style = getComputedStyle(element);
  const colorOf = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colorOf('--chart-text'), grid: { stroke: colorOf('--chart-grid'), width: 1 } };
  return {
    width: element.clientWidth,
    height,
    cursor: { y: false },
    axes: [
      { ...axis, values: (_chart, ticks) => ticks.map(tickLabel) },
      { ...axis, size: widthOf, values: (_chart, ticks) => ticks.map((tick) => `${tick}${unit}`) },
    ],
    scales: { y: { range: (_chart, _low, high) => [0, Math.max(1, high * 1.1)] } },
    series: [
      {
        label: 'Time',
        value: (_chart, seconds: number | null) =>
          seconds === null ? '–' : formatDayAndTime(new Date(seconds * 1_000)),
      },
      ...series.map(({ label, color, isFilled }) => {
        const stroke = colorOf(color);
        return {
          label,
          stroke,
          width: 1.5,
          points: {
            show: true,
            size: 6,
            fill: stroke,
            filter: (chart: uPlot, place: number) => isolatedPlaces([...(chart.data[place] ?? [])]),
          },
          ...(isFilled ? { fill: `color-mix(in srgb, ${stroke} 18%, transparent)` } : {}),
          value: (_chart: uPlot, value: number | null) => (value === null ? '–' : `${value}${unit}`),
        };
      }),
    ],
  };
}

/** Values without neighbors: no line reaches them, so they need a dot. */
function isolatedPlaces(values: readonly (number | null | undefined)[]): number[] {
  const isMissing = (place: number) => (values[place] ?? null) === null;
  return values.flatMap((value, place) =>
    (value ?? null) !== null && isMissing(place - 1) && isMissing(place + 1) ? place : [],
  );
}

/** A time series. Redrawn when its data, its width or the theme changes. */
export function Chart(props: ChartProps) {
  const { summary, times, series } = props;
  const holder = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    let chart: uPlot | undefined;
    const draw = () => {
      chart?.destroy();
      const { times: x, series: lines } = latest.current;
      chart = new uPlot(
        optionsFor(element, latest.current),
        [[...x], ...lines.map(({ values }) => [...values])],
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    const themed = new MutationObserver(draw);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener('change', draw);
      chart?.destroy();
    };
  }, [times, series]);
  return (
    <figure className={styles.chart}>
      <figcaption className="visually-hidden">{summary}</figcaption>
      <div ref={holder} aria-hidden="true" />
    </figure>
  );
}
