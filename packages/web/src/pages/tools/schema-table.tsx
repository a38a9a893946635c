/** The arguments of a tool, one line each: what kind, whether it must be there, what it is for. */
import { Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';

type Json = Readonly<Record<string, unknown>>;

export function SchemaTable({ schema }: { schema: Json }) {
  const properties = Object.entries((schema.properties ?? {}) as Json);
  const required: unknown = schema.required;
  if (properties.length === 0) return <Notice title="It takes no arguments." />;
  return (
    <Table
      label="Arguments"
      rows={properties.slice(0, MOST)}
      keyOf={([name]) => name}
      columns={[
        { title: 'Name', cell: ([name]) => name },
        { title: 'Kind', cell: ([, property]) => kindOf(property) },
        { title: 'Needed', cell: ([name]) => (Array.isArray(required) && required.includes(name) ? 'yes' : 'no') },
        { title: 'What it is for', cell: ([, property]) => String((property as Json | null)?.description ?? '') },
      ]}
    />
  );
}

/** The JSON below has them all. */
const MOST = 100;

function kindOf(property: unknown): string {
  const { type, enum: options, items } = (property ?? {}) as Json;
  if (Array.isArray(options)) return `one of ${options.map(option => JSON.stringify(option)).join(', ')}`;
  if (type === 'array') return `list of ${kindOf(items)}`;
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'see the JSON';
}
