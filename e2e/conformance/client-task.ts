/** What the conformance suite tells the client it starts: the server's address as last word, the rest by environment. */
import type { ForeignConfig } from '@junctor/core';

export interface Task {
  readonly scenario: string;
  readonly url: string;
  /** Credentials and the like; each scenario has its own keys. */
  readonly context: Readonly<Record<string, unknown>>;
}

export const SERVER = 'conformance';

export function readTask(words: readonly string[], env: Readonly<Record<string, string | undefined>>): Task {
  const url = words.at(-1);
  const scenario = env.MCP_CONFORMANCE_SCENARIO;
  if (url === undefined || scenario === undefined) {
    throw new Error('this program is started by the MCP conformance suite: see client-run.ts');
  }
  return {
    scenario,
    url,
    context: JSON.parse(env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Record<string, unknown>,
  };
}

/**
 * The config a person would write for this server. Trusted: nobody is there to be asked about each call. It does not say
 * which revision the server speaks: the host finds that out, as it does for anybody.
 */
export function configFor({ scenario, url, context }: Task): ForeignConfig {
  const oauth = scenario === 'auth/basic-cimd' ? { client_metadata_url: CLIENT_DOCUMENT } : oauthOf(context);
  return { servers: { [SERVER]: { transport: 'http', url, trust: 'trusted', ...(oauth ? { oauth } : {}) } } };
}

/** The one that the suite expects. It is never fetched. */
const CLIENT_DOCUMENT = 'https://conformance-test.local/client-metadata.json';

/** A client that is registered already. Without an authorization server to go with it, it is a machine's own. */
function oauthOf({ client_id, client_secret, private_key_pem, issuer }: Task['context']): object | undefined {
  if (client_id === undefined) return undefined;
  return {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(private_key_pem === undefined ? {} : { private_key: private_key_pem }),
    ...(issuer === undefined ? { grant_type: 'client_credentials' } : { issuer }),
  };
}
