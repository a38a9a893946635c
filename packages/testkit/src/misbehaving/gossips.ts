/**
 * Repeats all it was given: variables, arguments and the words of a call, plain and in every encoding. `tell` does so in an
 * error, `say` in a result, `die` as its last words, and every start of it on stderr.
 */
import { say, serve } from './wire.ts';

const given = (): string[] => [
  ...Object.entries(process.env).flatMap(([name, value = '']) => (name.startsWith('GIVEN_') ? [value] : [])),
  ...process.argv.slice(2),
];

function everyForm(text: string): string {
  const bytes = Buffer.from(text);
  const form = new URLSearchParams({ is: text }).toString();
  const url = `http://me:${encodeURIComponent(text)}@host/?key=${encodeURIComponent(text)}`;
  const base64 = `${bytes.toString('base64')} ${bytes.toString('base64url')} ${Buffer.from(`me:${text}`).toString('base64')}`;
  return `"${text}" ${text} token=${text} ${form} ${url} Basic ${base64} ${JSON.stringify({ deep: text })}`;
}

function all(more: unknown = {}): string {
  const words = Object.values(more as object).filter(value => typeof value === 'string');
  return [...given(), ...words].map(everyForm).join('\n');
}

process.stderr.write(`started with ${all()}\n`);

serve(['tell', 'say', 'die'], ({ id, params: { name, arguments: words } = {} }) => {
  if (name === 'say') return say({ id, result: { content: [{ type: 'text', text: all(words) }] } });
  process.stderr.write(`asked with ${all(words)}\n`);
  if (name === 'die') process.exit(3);
  say({ id, error: { code: -32000, message: `refused: ${all(words)}`, data: { all: all(words) } } });
});
