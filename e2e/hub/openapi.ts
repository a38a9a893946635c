/** Holds answers of REST against the document that describes them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { type AnyHub, type RestAnswer, rest } from './rest-client.ts';

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
}

export async function readOpenApi(hub: AnyHub): Promise<OpenApi> {
  return (await rest(hub, '/api/openapi.json')).body;
}

type Rest = (...asked: Parameters<typeof rest>) => Promise<RestAnswer>;

/** REST whose every answer is checked. */
export function describedRest(document: OpenApi): Rest {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema(document, 'openapi');
  return async (hub, path, options = {}) => {
    const answer = await rest(hub, path, options);
    const method = (options.method ?? 'GET').toLowerCase();
    const pattern = patternOf(document, path.split('?', 1)[0] as string, method);
    const responses = document.paths[pattern]?.[method]?.responses ?? {};
    const status = responses[answer.status] ? String(answer.status) : 'default';
    if (responses[status]?.content) {
      const place = ['paths', pattern, method, 'responses', status, 'content', 'application/json', 'schema'];
      const validate = ajv.compile({ $ref: `openapi#/${place.map(escaped).join('/')}` });
      const fits = validate(answer.body);
      expect({ path, status, fits, errors: validate.errors }).toEqual({ path, status, fits: true, errors: null });
    } else expect({ path, body: answer.body }).toEqual({ path, body: undefined });
    return answer;
  };
}

function patternOf({ paths }: OpenApi, path: string, method: string): string {
  const fitting = Object.keys(paths).filter(
    pattern => paths[pattern]?.[method] && new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  expect({ path, method, described: fitting.length }).toEqual({ path, method, described: 1 });
  return fitting[0] as string;
}

/** As JSON pointers in a URL are written. */
function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
