/**
 * A table of any length: only the rows near those that are seen are drawn. Whoever listens to it is told how many there are
 * and which one this is, and a row that has the focus stays, however far one scrolls.
 */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Foreign } from './foreign.tsx';
import { Cells, type TableProps, Titles } from './table.tsx';

interface LongTableProps<Row> extends TableProps<Row> {
  /** Rows that follow each other and have the same group stand under its name. */
  readonly groupOf?: (row: Row) => string;
  /** How many there are, where not all were read yet. */
  readonly total?: number | undefined;
  /** The last of those that were read is about to be seen. */
  readonly onEnd?: () => void;
  /** Whether the first row is seen. */
  readonly onTop?: (isAtTop: boolean) => void;
}

type Line<Row> = { readonly group: string } | { readonly row: Row };

/** Of a row of one line. Each is measured once it is drawn, and those that were not yet are taken to be like them. */
const ROW_PX = 37;
/** Drawn above and below what is seen: fewer, and a fast turn of the wheel shows nothing for a moment. */
const BEYOND = 12;

export function LongTable<Row>({ label, columns, rows, keyOf, groupOf, total, onEnd, onTop }: LongTableProps<Row>) {
  const lines = useMemo(() => inGroups(rows, groupOf), [rows, groupOf]);
  const frame = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState<number>();
  const rowPx = useRef(ROW_PX);
  const keys = useRef(keyOf);
  keys.current = keyOf;
  // The same function for the same lines: with another one, the place of every line would be worked out anew.
  const keyAt = useCallback(
    (index: number): string => {
      const line = lines[index] as Line<Row>;
      return 'row' in line ? keys.current(line.row) : `group ${index} ${line.group}`;
    },
    [lines],
  );
  const virtual = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx.current,
    overscan: BEYOND,
    getItemKey: keyAt,
    rangeExtractor: range => withFocused(range, focused),
    useFlushSync: false,
  });
  useEffect(() => {
    rowPx.current = mean(virtual.itemSizeCache.values()) ?? ROW_PX;
  });
  const items = virtual.getVirtualItems();
  const isEndNear = (items.at(-1)?.index ?? -1) >= lines.length - 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each end that is reached
  useEffect(() => {
    if (isEndNear) onEnd?.();
  }, [isEndNear, lines.length]);
  const shares = columns.reduce((sum, { share = 1 }) => sum + share, 0);
  const hidden = (total ?? rows.length) - rows.length;
  return (
    <section
      ref={frame}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer must be able to scroll it
      tabIndex={0}
      className="max-h-[75vh] overflow-auto rounded-lg border border-line bg-card"
      onScroll={event => onTop?.(event.currentTarget.scrollTop < ROW_PX)}
    >
      <table
        aria-rowcount={lines.length + 1 + hidden}
        className="w-full min-w-[46rem] table-fixed text-left text-sm wrap-anywhere"
      >
        <colgroup>
          {columns.map(({ title, share = 1 }) => (
            <col key={title} style={{ width: `${(100 * share) / shares}%` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1} className="sticky top-0 z-10 bg-card text-quiet shadow-[0_1px_0_var(--color-line)]">
            <Titles columns={columns} />
          </tr>
        </thead>
        <tbody onBlur={() => setFocused(undefined)}>
          {items.map((item, place) => {
            const line = lines[item.index] as Line<Row>;
            return (
              <Fragment key={item.key}>
                <Gap px={item.start - (items[place - 1]?.end ?? 0)} columns={columns.length} />
                <tr
                  ref={virtual.measureElement}
                  data-index={item.index}
                  aria-rowindex={item.index + 2}
                  className="border-b border-line"
                  onFocus={() => setFocused(item.index)}
                >
                  {'row' in line ? (
                    <Cells columns={columns} row={line.row} />
                  ) : (
                    <Group name={line.group} columns={columns.length} />
                  )}
                </tr>
              </Fragment>
            );
          })}
          <Gap px={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} columns={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

function mean(sizes: Iterable<number>): number | undefined {
  const some = Iterator.from(sizes).take(SAMPLE).toArray();
  return some.length === 0 ? undefined : some.reduce((sum, size) => sum + size, 0) / some.length;
}

const SAMPLE = 30;

/** In place of rows that are not drawn. */
function Gap({ px, columns }: { px: number; columns: number }): ReactNode {
  if (px <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: px, padding: 0 }} />
    </tr>
  );
}

function Group({ name, columns }: { name: string; columns: number }) {
  return (
    <th scope="rowgroup" colSpan={columns} className="bg-page px-3 py-2 font-semibold">
      <Foreign text={name} most={200} />
    </th>
  );
}

function inGroups<Row>(rows: readonly Row[], groupOf: ((row: Row) => string) | undefined): Line<Row>[] {
  if (!groupOf) return rows.map(row => ({ row }));
  let last: string | undefined;
  return rows.flatMap((row): Line<Row>[] => {
    const group = groupOf(row);
    const isNew = group !== last;
    last = group;
    return isNew ? [{ group }, { row }] : [{ row }];
  });
}

function withFocused(range: Range, focused: number | undefined): number[] {
  const near = defaultRangeExtractor(range);
  if (focused === undefined || focused >= range.count || near.includes(focused)) return near;
  return [...near, focused].sort((one, other) => one - other);
}
