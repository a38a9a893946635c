/**
 * Errors of an older server in the words of the 2026-07-28 era. That era has no error for "visit this page first": a server
 * asks for the visit with `input_required`, and the client sends the same request again.
 */
import { JunctorError } from '@junctor/core';
import { type Frame, type PageToVisit, pagesIn, RPC_CODE } from '@junctor/core/internal';
import { canBeAsked, type Party } from '../../visit/party.ts';
import { readAnswer } from '../../visit/reply.ts';
import { AnswerError, type Job, type Translated } from '../job.ts';

/** The pages that a person has to visit before this server runs the request; undefined for every other answer. */
export function pagesAskedIn(frame: Frame): readonly PageToVisit[] | undefined {
  return mentions(frame, RPC_CODE.visitFirst) ? pagesIn(readAnswer(frame).error) : undefined;
}

/** Sends the client to the pages. Resolves once it went to all of them. */
export async function sendToPages(
  pages: readonly PageToVisit[],
  { server, party, signal }: { readonly server: string; readonly party: Party; readonly signal: AbortSignal },
): Promise<void> {
  // At once: a client gets all questions of a round together.
  const answers = await Promise.all(
    pages.map(params => party.ask({ server, method: 'elicitation/create', params, signal })),
  );
  if (answers.every(answer => (answer as { action?: unknown } | null)?.action === 'accept')) return;
  throw new JunctorError('permission_denied', `Server '${server}' needs a page visited before it runs this.`, {
    server,
    why: 'the client declined to open it',
  });
}

/** What a client is told that cannot be sent to pages. Undefined: it can. */
export function cannotVisit(party: Pick<Party, 'capabilities'>): AnswerError | undefined {
  if (canBeAsked(party, { method: 'elicitation/create', params: { mode: 'url' } })) return undefined;
  const requiredCapabilities = { elicitation: { url: {} } };
  return new AnswerError(RPC_CODE.missingCapability, 'This needs a client that opens pages: elicitation in mode url.', {
    requiredCapabilities,
  });
}

/** Translates as the endpoint does, and gives a missing resource the code of the newer era. */
export function modernErrors({ request, translate }: Pick<Job, 'request' | 'translate'>): Job['translate'] {
  if (request.method !== 'resources/read') return translate;
  return (frame, at): Translated => {
    const translated = translate?.(frame, at);
    const error = translated === undefined ? missingIn(frame) : translated;
    const isMissing = error instanceof AnswerError && error.code === RPC_CODE.resourceNotFound;
    return isMissing ? new AnswerError(RPC_CODE.invalidParams, error.message, error.data) : translated;
  };
}

function missingIn(frame: Frame): AnswerError | undefined {
  if (!mentions(frame, RPC_CODE.resourceNotFound)) return undefined;
  const { error } = readAnswer(frame);
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  return code === RPC_CODE.resourceNotFound ? new AnswerError(code, String(message), data) : undefined;
}

function mentions(frame: Frame, code: number): boolean {
  return frame.some(piece => piece.includes(String(code)));
}
