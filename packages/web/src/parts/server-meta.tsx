/** What a config says about a server to people: its name, what it is for, where to read more. */
import { Foreign } from './foreign.tsx';

/** The picture is not loaded: its address is the choice of whoever wrote the config, and would learn who looks at the page. */
export function ServerMeta({ meta }: { meta: unknown }) {
  const { name, description, url } = wordsOf(meta);
  if (name === undefined && description === undefined && url === undefined) return null;
  return (
    <span className="block text-sm text-quiet">
      {name !== undefined && <Foreign text={name} most={100} />}
      {name !== undefined && description !== undefined && ': '}
      {description !== undefined && <Foreign text={description} most={400} />}{' '}
      {url !== undefined && (
        <a className="underline" href={url} target="_blank" rel="noreferrer">
          Read more
        </a>
      )}
    </span>
  );
}

/** Only addresses of the web become links. */
function wordsOf(meta: unknown): { name?: string; description?: string; url?: string } {
  if (typeof meta !== 'object' || meta === null) return {};
  const { name, description, url } = meta as Readonly<Record<string, unknown>>;
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url) ? { url } : {}),
  };
}
