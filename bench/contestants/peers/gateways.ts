/** Gateways that people use today, each in front of one stdio server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayPlan, StdioUpstream } from '../contestant.ts';
import { byName, type PeerGateway, peerFile, programOf } from './peer.ts';

const NODE = process.execPath;
export const MCPORTER = peerFile('mcporter', 'mcporter/dist/cli.js');
const MCP_HUB = peerFile('mcp-hub', 'mcp-hub/dist/cli.js');
const MCP_PROXY = peerFile('mcp-proxy', 'mcp-proxy/dist/bin/mcp-proxy.mjs');
const SUPERGATEWAY = peerFile('supergateway', 'supergateway/dist/index.js');

const mcpHub: PeerGateway = {
  name: 'mcp-hub',
  directory: 'mcp-hub',
  package: 'mcp-hub',
  front: 'sse',
  plan(upstream, port, home) {
    const config = writeConfig(home, { mcpServers: byName([upstream], () => programOf(upstream)) });
    return { argv: [NODE, MCP_HUB, '--port', String(port), '--config', config], url: endpoint(port) };
  },
};

const mcpProxy: PeerGateway = {
  name: 'mcp-proxy',
  directory: 'mcp-proxy',
  package: 'mcp-proxy',
  front: 'http',
  plan: (upstream, port) => ({
    argv: [
      ...[NODE, MCP_PROXY, '--port', String(port), '--host', '127.0.0.1'],
      ...['--', upstream.command, ...upstream.args],
    ],
    url: endpoint(port),
  }),
};

const supergateway: PeerGateway = {
  name: 'supergateway --stateful',
  directory: 'supergateway',
  package: 'supergateway',
  front: 'http',
  plan: (upstream, port) => ({
    argv: [
      ...[NODE, SUPERGATEWAY, '--stdio', shellWords(upstream), '--outputTransport', 'streamableHttp'],
      ...['--port', String(port), '--logLevel', 'none', '--stateful'],
    ],
    url: endpoint(port),
  }),
};

const mcporterServe: PeerGateway = {
  name: 'mcporter serve',
  directory: 'mcporter',
  package: 'mcporter',
  front: 'http',
  plan(upstream, port, home): GatewayPlan {
    const config = writeConfig(home, mcporterConfig(upstream, { lifecycle: 'keep-alive' }));
    const mcporter = [NODE, MCPORTER, '--config', config];
    return {
      argv: [...mcporter, 'serve', '--http', String(port)],
      url: endpoint(port),
      stopArgv: [...mcporter, 'daemon', 'stop'],
    };
  },
};

export const peerGateways: readonly PeerGateway[] = [mcpHub, mcpProxy, supergateway, mcporterServe];

export function mcporterConfig(upstream: StdioUpstream, more: object = {}): object {
  return { mcpServers: byName([upstream], () => ({ ...programOf(upstream), ...more })), imports: [] };
}

function endpoint(port: number): string {
  return `http://127.0.0.1:${port}/mcp`;
}

function writeConfig(home: string, config: object): string {
  const file = join(home, 'peer-config.json');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

function shellWords({ command, args }: StdioUpstream): string {
  return [command, ...args].map(word => JSON.stringify(word)).join(' ');
}
