/** What went wrong with a request, as JSON: a code for programs, a sentence and a next step for people. */
import { type ErrorCode, isJunctorError, JunctorError } from '@junctor/core';
import { issueSentence } from '@junctor/core/internal';
import { nearest, toldOf } from '@junctor/core/light';
import * as z from 'zod/mini';

export const ErrorAnswer = z.object({
  error: z.object({
    code: z.string().check(z.describe('One of the codes of docs/errors.md.')),
    message: z.string(),
    why: z.optional(z.string()),
    hint: z.optional(z.string()),
    server: z.optional(z.string()),
    problems: z.optional(
      z.array(
        z.object({
          path: z.string().check(z.describe('Where in the body, such as servers.fs.command.')),
          message: z.string(),
          found: z.optional(z.string()),
          expected: z.optional(z.string()),
          fix: z.optional(z.string()),
          server: z.optional(z.string()),
        }),
      ),
    ),
  }),
});

export type BodyProblem = NonNullable<z.infer<typeof ErrorAnswer>['error']['problems']>[number];

/** A request that cannot be done, with the status it is answered with. */
export class Refusal extends Error {
  readonly status: number;
  readonly error: JunctorError;
  readonly problems: readonly BodyProblem[];

  constructor(status: number, error: JunctorError, problems: readonly BodyProblem[] = []) {
    super(error.message, { cause: error });
    this.status = status;
    this.error = error;
    this.problems = problems;
  }
}

/** A body, or a query, that breaks its schema: every problem at once, each with its place. */
export function invalid(what: string, problems: readonly BodyProblem[]): Refusal {
  const [first] = problems as [BodyProblem];
  const others = problems.length === 1 ? '' : ` And ${problems.length - 1} more.`;
  const error = new JunctorError('config_invalid', `${what}: ${sentence(first)}${others}`, {
    hint: first.fix ?? 'mend what is named, then send it again; nothing was changed',
  });
  return new Refusal(400, error, problems);
}

/** A path or a query that breaks its schema. It asks for nothing that could have been changed. */
export function misaddressed(what: string, problems: readonly BodyProblem[]): Refusal {
  const [first] = problems as [BodyProblem];
  const hint = first.fix ?? 'GET /api/openapi.json says what each path takes';
  return new Refusal(400, new JunctorError('usage', `${what}: ${sentence(first)}`, { hint }), problems);
}

export function notFound(message: string, hint?: string): Refusal {
  return new Refusal(404, new JunctorError('not_found', message, { hint }));
}

/** What the schema found wrong. */
export function problemsOf(error: z.core.$ZodError, known: readonly string[], value: unknown): BodyProblem[] {
  return error.issues.flatMap((issue): BodyProblem[] => {
    const path = issue.path.map(step => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
    const at = path.replace(/^\./, '');
    if (issue.code === 'invalid_type' && isMissing(value, issue.path))
      return [{ path: at, message: `Missing '${at}'.`, fix: `Add '${at}'.` }];
    if (issue.code !== 'unrecognized_keys') return [{ path: at, message: issueSentence(issue) }];
    return issue.keys.map(key => {
      const near = nearest(key, known);
      const fix = near ? `Did you mean '${near}'?` : 'Remove it, or check its spelling.';
      return { path: at === '' ? key : `${at}.${key}`, message: `Unknown key '${key}'.`, fix };
    });
  });
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let found = value;
  for (const step of path) found = typeof found === 'object' && found !== null ? (found as never)[step] : undefined;
  return path.length > 0 && found === undefined;
}

/** How the texts of a failure are written: secrets masked, and commands as they are typed for this hub. */
export interface FailureTexts {
  mask?(text: string): string;
  commands?(text: string): string;
}

export function failureAnswer(failure: unknown, texts?: FailureTexts): { status: number; body: object } {
  const refusal = failure instanceof Refusal ? failure : undefined;
  const error = refusal?.error ?? (isJunctorError(failure) ? failure : undefined);
  if (!error) return { status: 500, body: { error: { code: 'internal', message: 'A defect in Junctor.' } } };
  const { code, server } = error;
  const { hint, ...told } = toldOf(error, texts?.mask);
  return {
    status: refusal?.status ?? STATUS[code] ?? 500,
    body: {
      error: {
        ...told,
        ...(hint === undefined ? {} : { hint: texts?.commands?.(hint) ?? hint }),
        ...(server === undefined ? {} : { server }),
        ...(refusal && refusal.problems.length > 0 ? { problems: refusal.problems } : {}),
      },
    },
  };
}

/** The status of errors that come from elsewhere in the house. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  usage: 400,
  config_invalid: 400,
  config_conflict: 409,
  config_unreadable: 409,
  edit_outdated: 412,
  server_unknown: 404,
  server_unusable: 409,
  not_found: 404,
  token_required: 401,
  token_refused: 403,
  sign_in_failed: 502,
  database_failed: 503,
};

function sentence({ path, message }: BodyProblem): string {
  return path === '' ? message : `${path}: ${message}`;
}
