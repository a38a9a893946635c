/** The scenarios of the conformance suite that are known to fail. Each entry of the list has its reason beside it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ExpectedFailure {
  readonly scenario: string;
  readonly because: string;
}

export function expectedFailures(side: 'client' | 'server'): ExpectedFailure[] {
  const text = readFileSync(join(import.meta.dirname, 'expected-failures.yml'), 'utf8');
  return [...sectionOf(text, side).matchAll(/^ +- (\S+)(?: # (.+))?$/gm)].map(([line, scenario = '', because]) => {
    if (because === undefined) throw new Error(`expected-failures.yml does not say why in '${line.trim()}'`);
    return { scenario, because };
  });
}

/** The lines below one key at the left edge of a YAML file. */
function sectionOf(yaml: string, key: string): string {
  return new RegExp(`^${key}:\\n((?:(?: .*)?\\n)*)`, 'm').exec(yaml)?.[1] ?? '';
}
