/** A table that stays readable on a narrow screen: it scrolls by itself, and the page does not. */
import type { ReactNode } from 'react';
import { Foreign } from './foreign.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** Of the width of a long table, beside the others. Default 1. */
  readonly share?: number;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer must be able to scroll it
    <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-lg border border-line bg-card">
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-b border-line text-quiet">
            <Titles columns={columns} />
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0">
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Titles<Row>({ columns }: Pick<TableProps<Row>, 'columns'>) {
  return columns.map(({ title, isNumber }) => (
    <th key={title} scope="col" className={`px-3 py-2 font-medium ${isNumber ? 'text-right' : ''}`}>
      {title}
    </th>
  ));
}

export function Cells<Row>({ columns, row }: Pick<TableProps<Row>, 'columns'> & { row: Row }) {
  return columns.map(({ title, cell, isNumber }) => (
    <td key={title} className={`px-3 py-2 align-top ${isNumber ? 'text-right tabular-nums' : ''}`}>
      {readable(cell(row))}
    </td>
  ));
}

/** Most of what stands in tables was written by strangers. */
function readable(cell: ReactNode): ReactNode {
  return typeof cell === 'string' ? <Foreign text={cell} most={2000} /> : cell;
}
