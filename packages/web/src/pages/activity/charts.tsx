/** How many calls there were and how long they took, over time. Drawing a range with the pointer shows that range. */
import type { CallSummary } from '@junctor/hub/answers';
import { useEffect, useRef } from 'react';
import uPlot, { type AlignedData, type Options, type Series } from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { summaryOf } from './summary-text.tsx';

interface ChartsProps {
  readonly summary: CallSummary;
  readonly onRange: (since: string, until: string) => void;
}

type Colours = Readonly<Record<'accent' | 'bad' | 'wait' | 'quiet' | 'line', string>>;

const HEIGHT_PX = 130;

export default function Charts({ summary, onRange }: ChartsProps) {
  const times = summary.parts.map(({ since }) => Date.parse(since) / 1000);
  const read = (key: 'calls' | 'errors' | 'p50_ms' | 'p95_ms') => summary.parts.map(part => part[key]);
  return (
    <div className="mb-3 grid gap-3 lg:grid-cols-2" role="img" aria-label={`Charts of calls: ${summaryOf(summary)}`}>
      <Chart
        title="Calls (pale bars), failed among them (filled bars)"
        data={[times, read('calls'), read('errors')]}
        series={({ accent, bad }) => [
          { label: 'calls', fill: `${accent}66`, stroke: accent, ...BARS },
          { label: 'failed', fill: bad, stroke: bad, ...BARS },
        ]}
        onRange={onRange}
      />
      <Chart
        title="Milliseconds: half of the calls (line), 95 % of them (dashes)"
        data={[times, read('p50_ms'), read('p95_ms')]}
        series={({ accent, wait }) => [
          { label: 'half', stroke: accent, width: 2, spanGaps: true },
          { label: '95 %', stroke: wait, width: 2, dash: [6, 4], spanGaps: true },
        ]}
        onRange={onRange}
      />
    </div>
  );
}

const BARS: Partial<Series> = {
  paths: (...asked) => uPlot.paths.bars?.({ size: [0.8, 24] })(...asked) ?? null,
  points: { show: false },
};

interface ChartProps extends Pick<ChartsProps, 'onRange'> {
  readonly title: string;
  readonly data: AlignedData;
  readonly series: (colours: Colours) => Series[];
}

function Chart({ title, data, series, onRange }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chosen = useRef(onRange);
  chosen.current = onRange;
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew with other data
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let chart: uPlot | undefined;
    const draw = (): void => {
      chart?.destroy();
      const onSelect = (drawn: uPlot): void => {
        const { left, width } = drawn.select;
        if (width < 3) return;
        const at = (px: number): string => new Date(drawn.posToVal(px, 'x') * 1000).toISOString();
        chosen.current(at(left), at(left + width));
      };
      chart = new uPlot(optionsFor(element, series, onSelect), data, element);
    };
    const sizes = new ResizeObserver(draw);
    sizes.observe(element);
    const themes = new MutationObserver(draw);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
      chart?.destroy();
    };
  }, [JSON.stringify(data)]);
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-card p-2">
      <figcaption className="px-1 text-sm text-quiet">{title}</figcaption>
      <div ref={place} className="overflow-hidden" style={{ height: HEIGHT_PX }} />
    </figure>
  );
}

function optionsFor(element: HTMLElement, series: ChartProps['series'], onSelect: (chart: uPlot) => void): Options {
  const colours = coloursOf(element);
  const axis = { stroke: colours.quiet, grid: { stroke: colours.line, width: 1 }, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false, setScale: false } },
    scales: { y: { range: (_chart, _low, high) => [0, Math.max(1, high ?? 1)] } },
    axes: [axis, { ...axis, size: 48 }],
    series: [{}, ...series(colours)],
    hooks: { setSelect: [onSelect] },
  };
}

function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  const names = ['accent', 'bad', 'wait', 'quiet', 'line'] as const;
  return Object.fromEntries(names.map(name => [name, style.getPropertyValue(`--color-${name}`).trim()])) as Colours;
}
