/** The words and names a server may be written with. Apart from the schema, which takes longer to load than to need. */
export const SERVER_ID: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;

/** What an account of a server may be called. */
export const ACCOUNT_NAME: RegExp = /^[\w.@+-]{1,64}$/;

/** The words a server's transport may be written with. `streamable_http` is `http` on the wire; the written word is kept. */
export const TRANSPORTS = ['stdio', 'http', 'streamable_http', 'sse', 'ws'] as const;
export type TransportWord = (typeof TRANSPORTS)[number];
