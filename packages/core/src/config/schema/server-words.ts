/** The words and names a server may be written with. Apart from the schema, which takes longer to load than to need. */
export const SERVER_ID: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;

/** A name of another program, or one that somebody mistyped, as an id of ours. */
export function asServerId(name: string): string {
  if (SERVER_ID.test(name)) return name;
  return (
    name
      .replace(/[^a-zA-Z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 64) || 'server'
  );
}

/** What an account of a server may be called. */
export const ACCOUNT_NAME: RegExp = /^[\w.@+-]{1,64}$/;

/** The words a server's transport may be written with. `streamable_http` is `http` on the wire; the written word is kept. */
export const TRANSPORTS = ['stdio', 'http', 'streamable_http', 'sse', 'ws'] as const;
export type TransportWord = (typeof TRANSPORTS)[number];

/** Systems refuse other names of variables, or cut them at the `=`. */
export const VARIABLE_NAME: RegExp = /^[^=\s\0]+$/;
