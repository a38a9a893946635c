/** The gateways of the repository: the reference in both modes, and Junctor's hub. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JUNCTOR, PROGRAMS } from '../programs.ts';
import type { Gateway, GatewayPlan, StdioUpstream } from './contestant.ts';
import { junctorConfig } from './junctor-library.ts';

export const referenceParse: Gateway = reference('ref-parse', 'parse');
export const referenceSplice: Gateway = reference('ref-splice', 'splice');

/** A token of the bench's own: the hub lives in a data directory that is removed with it. */
const TOKEN = `jct_${'bench'.repeat(8)}`;

/** Other gateways list every tool: the hub would have its client search so many. */
const LISTED = { default: { search: { enabled: false } } };

/** With one shared server, as for most servers of a team: it is there before the first client, and stays. */
export const junctorHub: Gateway = {
  name: 'hub',
  front: 'http',
  plan: (upstream, port, home) => hubPlan([upstream], port, home),
};

export function hubPlan(upstreams: readonly StdioUpstream[], port: number, home: string): GatewayPlan {
  const config = join(home, 'junctor.json');
  writeFileSync(config, JSON.stringify({ ...junctorConfig(upstreams, 'shared'), agents: LISTED }));
  const places = ['--config', config, '--isolated', '--data', join(home, 'data')];
  return {
    argv: [process.execPath, JUNCTOR, 'hub', ...places, '--port', String(port)],
    url: `http://127.0.0.1:${port}/mcp/default`,
    headers: { authorization: `Bearer ${TOKEN}` },
    env: { JUNCTOR_HUB_TOKEN: TOKEN },
  };
}

function reference(name: string, mode: 'parse' | 'splice'): Gateway {
  return {
    name,
    front: 'http',
    plan: (upstream, port) => ({
      argv: [
        ...[process.execPath, PROGRAMS.referenceGateway, `--mode=${mode}`, `--port=${port}`],
        ...['--', upstream.command, ...upstream.args],
      ],
      url: `http://127.0.0.1:${port}/mcp`,
    }),
  };
}
