/** The pages a server wants visited before it runs a call, as the error of the call names them. Pure. */
import { isJunctorError } from '../../base/error.ts';
import { RPC_CODE } from '../../base/rpc-code.ts';

/** A person is not sent through more pages than this for one call. */
const MAX_PAGES = 10;

export interface PageToVisit {
  readonly mode: 'url';
  readonly elicitationId: string;
  readonly url: string;
}

/** Undefined where the error is another one, or names no page. */
export function pagesToVisit(error: unknown): readonly PageToVisit[] | undefined {
  return isJunctorError(error, 'server_error') ? pagesIn(error.cause) : undefined;
}

/** The same for a JSON-RPC error as its server sent it. */
export function pagesIn(error: unknown): readonly PageToVisit[] | undefined {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { elicitations?: unknown } | null };
  if (code !== RPC_CODE.visitFirst || !Array.isArray(data?.elicitations)) return undefined;
  const pages = data.elicitations.filter(isPage);
  return pages.length > 0 && pages.length === data.elicitations.length && pages.length <= MAX_PAGES ? pages : undefined;
}

function isPage(elicitation: unknown): elicitation is PageToVisit {
  const { mode, elicitationId, url } = (elicitation ?? {}) as Readonly<Record<string, unknown>>;
  return mode === 'url' && typeof elicitationId === 'string' && typeof url === 'string';
}
