/** A host with one server, `x`, that asks whatever a test wants asked. */
import { join } from 'node:path';
import { createHost, type Host, type HostEvent, type HostOptions, type McpConfigInput } from '@junctor/core';
import { Log, Redactor } from '@junctor/core/light';
import { makeHome, ROOT } from '@junctor/testkit';

export const peer = (name: string, ...args: string[]) => ({
  transport: 'stdio',
  command: process.execPath,
  args: [join(ROOT, 'e2e', 'connections', 'peers', `${name}.ts`), ...args],
});
export const asking = (capabilities: object = {}) => peer('asking', JSON.stringify(capabilities));

export interface Asked extends AsyncDisposable {
  readonly host: Host;
  readonly events: HostEvent[];
  readonly lines: string[];
  call(tool: string, args?: object): Promise<unknown>;
  ask(method: string, params?: object): Promise<unknown>;
}

export async function hostFor(server: object, options: HostOptions = {}): Promise<Asked> {
  const home = await makeHome();
  const lines: string[] = [];
  const log = new Log({ level: 'debug', write: line => lines.push(line), redactor: new Redactor() });
  const permissions = { allow: ['mcp__x__*'] };
  const config = { version: 1, servers: { x: server }, permissions } as McpConfigInput;
  const host = await createHost({ config, data: home.data, log, ...options });
  const events: HostEvent[] = [];
  host.events.listen(event => events.push(event));
  const call = async (tool: string, args: object = {}) => {
    const { output } = await host.call({ server: 'x', tool }, args);
    return JSON.parse(output);
  };
  return {
    host,
    events,
    lines,
    call,
    ask: (method, params = {}) => call('ask', { method, params }),
    async [Symbol.asyncDispose]() {
      await host.close();
      await home[Symbol.asyncDispose]();
    },
  };
}
