/** What most tests of adapters need: a host with servers, and a model that says what it is told. */
import { createHost, type Host, type HostOptions, type McpConfigInput } from '@junctor/core';
import { testServer, trusted } from '@junctor/testkit';
import { type Script, type ScriptedModel, startModel } from '@junctor/testkit/model';

export interface Scene extends AsyncDisposable {
  readonly host: Host;
  readonly model: ScriptedModel;
}

/** Without `servers`, the test server as `demo`, trusted. */
export async function playing(
  script: Script,
  { servers = { demo: trusted(testServer()) }, ...options }: { servers?: object } & Omit<HostOptions, 'config'> = {},
  frame: object = {},
): Promise<Scene> {
  const host = await createHost({ config: { version: 1, servers, ...frame } as McpConfigInput, ...options });
  const model = await startModel(script);
  return {
    host,
    model,
    async [Symbol.asyncDispose]() {
      await model.close();
      await host.close();
    },
  };
}
