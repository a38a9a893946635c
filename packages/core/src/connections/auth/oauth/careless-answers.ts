/**
 * Answers of authorization servers, put as the documents of OAuth want them. Real ones write null for what they do not give,
 * leave out what nobody reads, and write numbers as words: who is strict there cannot sign in. What counts is never made up.
 */
import { isObject } from '../../../base/json/is-object.ts';

export type Answer = Readonly<Record<string, unknown>>;

/** The same `fetch`; the JSON of answers that are no errors is mended. */
export function mending(fetchFn: typeof fetch, mend: (answer: Answer) => Answer): typeof fetch {
  return async (input, init) => {
    const response = await fetchFn(input, init);
    if (!response.ok || !response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(mendedText(await response.text(), mend), { status, statusText, headers });
  };
}

function mendedText(text: string, mend: (answer: Answer) => Answer): string {
  try {
    const answer: unknown = JSON.parse(text);
    return isObject(answer) ? JSON.stringify(mend(given(answer))) : text;
  } catch {
    return text; // whoever reads it says so
  }
}

/** Null is how some programs write that there is nothing. */
function given(answer: Answer): Answer {
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
}

/** Longer than any token lives, and the dates of all of it can still be written. */
const LONGEST_LIFE_S = 100 * 365 * 24 * 60 * 60;

/** A token without a time to live, or with one that is over at once, is good until it is refused. */
export function mendTokens({ expires_in, scope, refresh_token, ...answer }: Answer): Answer {
  const lifeS = Number(expires_in);
  return {
    token_type: 'Bearer',
    ...answer,
    ...(lifeS > 0 ? { expires_in: Math.min(lifeS, LONGEST_LIFE_S) } : {}),
    ...(scope === undefined ? {} : { scope: Array.isArray(scope) ? scope.join(' ') : scope }),
    ...(refresh_token ? { refresh_token } : {}),
  };
}

/** Of a registration only the client counts: where it may be sent back to is what we asked for. */
export function mendClient(redirectUris: readonly string[]): (answer: Answer) => Answer {
  return ({ client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method }) => ({
    redirect_uris: redirectUris,
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(typeof client_secret_expires_at === 'number' ? { client_secret_expires_at } : {}),
    ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
  });
}

/** What a server says of itself (RFC 9728). It speaks of its own address where it does not name one. */
export function mendResource(url: string): (answer: Answer) => Answer {
  return answer =>
    answer.issuer === undefined && Array.isArray(answer.authorization_servers) ? { resource: url, ...answer } : answer;
}

/** What an authorization server says of itself. Nobody here reads its identity tokens: what it says of those may be missing. */
export function mendMetadata(answer: Answer): Answer {
  if (answer.issuer === undefined) return answer;
  return {
    response_types_supported: ['code'],
    jwks_uri: answer.token_endpoint,
    subject_types_supported: [],
    id_token_signing_alg_values_supported: [],
    ...answer,
  };
}
