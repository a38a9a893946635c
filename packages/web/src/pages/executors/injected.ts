/** Injected variables as rows of a form, and what comes of them. Pure. */
import type { Server } from '@junctor/hub/answers';
import type { Policy } from './use-policy.ts';

export interface Injected {
  readonly name: string;
  readonly value: string;
  /** Whose value counts where a server sets the same variable. */
  readonly wins: 'executor' | 'server';
}

type Injection = Pick<Policy, 'env_injection' | 'env_server_wins'>;

export function injectedIn({ env_injection: values, env_server_wins: servers }: Injection): Injected[] {
  return Object.entries(values).map(([name, value]) => {
    return { name, value, wins: servers.includes(name) ? 'server' : 'executor' };
  });
}

/** Names that the server may set otherwise and nobody injects are kept: they are no business of this form. */
export function policyOf(variables: readonly Injected[], { env_injection, env_server_wins }: Injection): Injection {
  const others = env_server_wins.filter(name => env_injection[name] === undefined);
  const won = variables.filter(({ wins }) => wins === 'server').map(({ name }) => name);
  return {
    env_injection: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    env_server_wins: [...new Set([...others, ...won])],
  };
}

export function wrongWith(variables: readonly Injected[]): string | undefined {
  const names = variables.map(({ name }) => name);
  const odd = names.find(name => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (odd === '') return 'Give the variable a name.';
  if (odd !== undefined) return `'${odd}' cannot be the name of a variable: letters, digits and _, no digit first.`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `'${twice}' is there twice.`;
}

/** Server by server that sets the same variable: which value it gets. */
export function outcomes({ name, value, wins }: Injected, servers: readonly Server[]): string {
  const setting = servers.flatMap(({ id, definition }) => {
    const own = definition.env?.[name];
    return own === undefined ? [] : [{ id, own }];
  });
  if (name === '' || setting.length === 0) return 'No server sets it: all get this value.';
  const told = setting.map(({ id, own }) =>
    wins === 'server' ? `${id} keeps its own ${own}` : `${id} gets ${value}, not its own ${own}`,
  );
  return `${told.join('; ')}.`;
}
