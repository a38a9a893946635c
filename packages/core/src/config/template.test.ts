import { promise } from '@junctor/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromSyntax, toSyntax, VARIABLE_SYNTAXES, type VariableSyntaxName } from './dialects/variable-syntax.ts';
import type { McpServerDef } from './schema/server-schema.ts';
import { formatTemplate, literal, parseTemplate } from './template.ts';
import { describeMissing, expandVariables } from './variables.ts';

const values = {
  env: { TOKEN: 'abc', EMPTY: '', DOLLAR: '${TOKEN}' },
  secret: async (name: string) => (name === 'github' ? 's3cr3t-value' : undefined),
};

describe('variables', () => {
  promise(['1.7a', '1.7b'], 'are replaced in url, headers, env, args and cwd, with defaults', async () => {
    const definition: McpServerDef = {
      transport: 'http',
      url: 'http://${HOST:-localhost}:1/',
      headers: { Authorization: 'Bearer ${TOKEN}', S: '${secret:github}' },
      command: 'serve',
      args: ['--token', '${TOKEN}', '$TOKEN', '$${TOKEN}', '${EMPTY:-default}', '${DOLLAR}'],
      cwd: '/tmp/${TOKEN}',
      env: { A: '${TOKEN}${MISSING:-}' },
      meta: { name: '${TOKEN}' },
    };
    expect(await expandVariables(definition, values)).toEqual({
      ok: true,
      definition: {
        ...definition,
        url: 'http://localhost:1/',
        headers: { Authorization: 'Bearer abc', S: 's3cr3t-value' },
        // A value is never looked at again: what it holds may look like a variable.
        args: ['--token', 'abc', '$TOKEN', '${TOKEN}', '', '${TOKEN}'],
        cwd: '/tmp/abc',
        env: { A: 'abc' },
      },
      secrets: ['s3cr3t-value'],
    });
  });

  promise(['1.7c', '1.2p'], 'that are missing are all named, with their places', async () => {
    const definition: McpServerDef = {
      transport: 'http',
      url: 'http://${HOST}/',
      headers: { X: '${secret:nope}' },
      bearer_token_env_var: 'NO_TOKEN',
    };
    const expanded = await expandVariables(definition, values);
    expect(!expanded.ok && describeMissing(expanded.missing)).toBe(
      'the variable HOST (in url), the secret nope (in headers.X), the variable NO_TOKEN (in bearer_token_env_var)',
    );
    const found = await expandVariables(
      { ...definition, url: 'http://h/', headers: {}, bearer_token_env_var: 'TOKEN' },
      values,
    );
    expect(found.ok && (found.definition as { headers: object }).headers).toEqual({ Authorization: 'Bearer abc' });
  });
});

describe('templates', () => {
  test('any text is its own literal', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'A', ':', '-', 'secret:') }), text => {
        expect(
          parseTemplate(literal(text))
            .map(part => (part.kind === 'text' ? part.text : '?'))
            .join(''),
        ).toBe(text);
        expect(parseTemplate(formatTemplate(parseTemplate(text)))).toEqual(parseTemplate(text));
      }),
      { numRuns: 500 },
    );
  });

  test('a dollar sign before a variable stays one', () => {
    const parts = [
      { kind: 'text', text: 'cost $' },
      { kind: 'variable', name: 'X' },
    ] as const;
    expect(parseTemplate(formatTemplate(parts))).toEqual(parts);
  });

  test("an agent's text read and written again is the same to the agent", () => {
    const syntaxes = Object.keys(VARIABLE_SYNTAXES) as VariableSyntaxName[];
    const pieces = ['$', '{', '}', 'A', '${A}', '${A:-b}', '${env:A}', '{env:A}', '${{ secrets.A }}', '$A', ' '];
    fc.assert(
      fc.property(
        fc.constantFrom(...syntaxes),
        fc.array(fc.constantFrom(...pieces)).map(all => all.join('')),
        (syntax, text) => {
          const canonical = fromSyntax(text, syntax);
          const written = toSyntax(canonical, syntax);
          if (written !== undefined) expect(fromSyntax(written, syntax)).toBe(canonical);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
