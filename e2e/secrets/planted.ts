/** Secrets in every place where a person may put one, and the search for them in whatever leaves Junctor. */
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Home, junctor, misbehaving, trusted } from '@junctor/testkit';

/** By where each is planted. Most have signs that JSON, addresses and forms write otherwise. */
export const PLANTED = {
  variable: 'Env-1 "va/lue"+100%',
  reference: 'Ref-2 <of>&the=shell',
  store: 'Sto-3 \\back/slash?#key',
  header: 'Hea-4/der+value==',
  argument: 'Arg-5/of+the=line',
  option: 'Opt-6:of,the line',
  passwordInAddress: 'Pas-7!in*the(address)',
  keyInAddress: 'Key-8-in-the-address',
  accessToken: 'Acc-9.token.of.oauth',
  refreshToken: 'Ref-10.token.of.oauth',
  clientSecret: 'Cli-11/secret+of=oauth',
  callArgument: 'Cal-12 "argument"/of+a=call',
  /** As short as a secret may be that is masked everywhere. */
  short: 'sh0rt!',
} as const;

type Place = keyof typeof PLANTED;

/** Each way a value may be written. */
function spellings(value: string): string[] {
  const form = new URLSearchParams({ is: value }).toString().slice('is='.length);
  const bytes = Buffer.from(value);
  // The end of base64 also depends on what follows.
  const base64 = [bytes.toString('base64'), bytes.toString('base64url')].map(text =>
    text.replace(/=+$/, '').slice(0, -1),
  );
  return [
    ...new Set([
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      encodeURI(value),
      form,
      ...base64,
    ]),
  ];
}

const SOUGHT = Object.entries(PLANTED).flatMap(([place, value]) =>
  spellings(value).map(spelling => ({ place: place as Place, spelling, bytes: Buffer.from(spelling) })),
);

/** Where a planted secret stands in the text, with what stands around it. */
export function leaksIn(what: string, text: string | Buffer, except: readonly Place[] = []): string[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return SOUGHT.flatMap(({ place, spelling, bytes: sought }) => {
    const at = except.includes(place) ? -1 : bytes.indexOf(sought);
    if (at < 0) return [];
    const around = bytes.subarray(Math.max(0, at - 60), at + sought.length + 20).toString('latin1');
    return [`${what}: ${place} as ${spelling} in …${JSON.stringify(around)}`];
  });
}

/** Files that hold secrets because a person wrote them there, or by decision (docs/secrets.md). */
const HOLDS_SECRETS = /^\/(config\/junctor\/config\.json|hub\.json)$|\/mcp-auth\.json$/;

export async function leaksInFiles(home: Home): Promise<string[]> {
  const names = await readdir(home.path, { recursive: true, withFileTypes: true });
  const files = names.filter(one => one.isFile()).map(one => join(one.parentPath, one.name).slice(home.path.length));
  const found = files.map(async file => {
    if (HOLDS_SECRETS.test(file)) return [];
    return leaksIn(file, await readFile(join(home.path, file)).catch(() => Buffer.alloc(0)));
  });
  return (await Promise.all(found)).flat();
}

/** Arguments of all processes that run now. A server has the arguments that its config gives it. */
export async function leaksInCommandLines(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const found = pids.map(async pid => {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return leaksIn(`arguments of ${line}`, line, line.includes('gossips.js') ? ['argument', 'option'] : []);
  });
  return (await Promise.all(found)).flat();
}

export interface Telling extends AsyncDisposable {
  readonly url: string;
}

/** An HTTP server that fails, and repeats the address and the headers of every request. */
export async function tellingServer(): Promise<Telling> {
  const server = createServer((request, response) => {
    const { authorization = '', 'x-api-key': key = '', 'x-short': short = '' } = request.headers;
    const decoded = Buffer.from(authorization.replace(/^basic /i, ''), 'base64').toString();
    const said = `no entry at ${request.url} with ${key} ${short} ${authorization} ${decoded} ${encodeURIComponent(String(key))}`;
    response.writeHead(500, { 'content-type': 'text/plain', 'x-seen': encodeURIComponent(said) }).end(said);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => server.close(resolve).closeAllConnections());
    },
  };
}

/** A config with a secret in every place, and the store and the sign-ins that belong to it. */
export async function plant(home: Home, telling: Telling): Promise<{ readonly servers: Record<string, object> }> {
  await junctor(home, ['secret', 'set', 'PLANTED'], { input: PLANTED.store });
  await home.write('data/mcp-auth.json', {
    version: 1,
    servers: {
      signed: {
        access_token: PLANTED.accessToken,
        refresh_token: PLANTED.refreshToken,
        token_type: 'Bearer',
        server_url: telling.url,
      },
    },
  });
  const address = new URL(`${telling.url}?api_key=${encodeURIComponent(PLANTED.keyInAddress)}`);
  address.username = 'me';
  address.password = PLANTED.passwordInAddress;
  const servers = {
    gossip: trusted({
      ...misbehaving('gossips', `--token=${PLANTED.argument}`, '--api-key', PLANTED.option),
      env: {
        GIVEN_API_KEY: PLANTED.variable,
        GIVEN_TOKEN: '${GIVEN_BY_SHELL}',
        GIVEN_SECRET: '${secret:PLANTED}',
        GIVEN_PASSWORD: PLANTED.short,
      },
    }),
    dying: {
      transport: 'stdio',
      command: 'sh',
      args: ['-c', 'env >&2; exit 3'],
      env: { API_KEY: '${secret:PLANTED}' },
    },
    telling: {
      transport: 'http',
      url: telling.url,
      headers: { 'X-Api-Key': PLANTED.header, 'X-Short': '${secret:SHORT}' },
      oauth: false,
    },
    address: { transport: 'http', url: address.href, oauth: false },
    signed: {
      transport: 'http',
      url: telling.url,
      oauth: { client_id: 'me', client_secret: PLANTED.clientSecret },
    },
  };
  await junctor(home, ['secret', 'set', 'SHORT'], { input: PLANTED.short });
  return { servers };
}

/** What the person's shell has, which servers refer to. */
export const SHELL = { GIVEN_BY_SHELL: PLANTED.reference };
