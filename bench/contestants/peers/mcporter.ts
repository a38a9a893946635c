/** The library inside mcporter; its gateway and its command line are measured too. */
import { isHttp, type Upstream } from '../contestant.ts';
import { type Arguments, each, importFrom, type PeerLibrary, programOf, text } from './peer.ts';

export const mcporter: PeerLibrary = {
  name: 'mcporter',
  directory: 'mcporter',
  package: 'mcporter',
  async connect(upstreams) {
    interface Runtime {
      listTools(server: string, options: object): Promise<object[]>;
      callTool(server: string, tool: string, options: { args: Arguments }): Promise<unknown>;
      close(): Promise<void>;
    }
    const { createRuntime } = await importFrom<{ createRuntime(o: object): Promise<Runtime> }>('mcporter', 'mcporter');
    const commandOf = (upstream: Upstream) =>
      isHttp(upstream)
        ? { kind: 'http', url: new URL(upstream.url) }
        : { kind: 'stdio', ...programOf(upstream), cwd: process.cwd() };
    const servers = upstreams.map(upstream => ({ name: upstream.name, command: commandOf(upstream) }));
    const runtime = await createRuntime({ servers });
    const first = upstreams[0]?.name ?? '';
    return {
      list: async () => (await each(upstreams, ({ name }) => runtime.listTools(name, { includeSchema: true }))).flat(),
      call: async (tool, args) => text(await runtime.callTool(first, tool, { args })),
      close: () => runtime.close(),
    };
  },
};
