import { createServer } from 'node:http';
import { makeHome, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { smallHttp } from '../connections/small-http.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, string> }[];
  readonly status: { readonly code: number; readonly message?: string };
}

/** Takes traces as any collector does, and keeps them. */
async function startCollector() {
  const spans: SentSpan[] = [];
  const headers: (string | undefined)[] = [];
  const services: string[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    headers.push(request.headers['x-api-key'] as string | undefined);
    if (status === 200 && request.url === '/v1/traces') {
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        services.push(resource.attributes[0].value.stringValue);
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    spans,
    headers,
    services,
    answerWith(code: number) {
      status = code;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

const attributesOf = ({ attributes }: SentSpan): Record<string, string | undefined> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('traces', () => {
  test('follow each call from its client through the hub to its server', async () => {
    await using home = await makeHome();
    await using collector = await startCollector();
    const seen: (string | undefined)[] = [];
    await using server = await smallHttp(({ asked }) => {
      if (asked.method !== 'tools/call') return;
      const { _meta } = asked.params as { _meta?: { traceparent?: string } };
      seen.push(_meta?.traceparent);
      return undefined;
    });
    home.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    home.env.OTEL_EXPORTER_OTLP_HEADERS = 'x-api-key=key%200123456789';
    const servers = { web: trusted({ transport: 'http', url: server.url }), demo: trusted(testServer()) };
    await using hub = await startHub(home, { servers, permissions: { deny: ['mcp__demo__slow'] } });
    const client = await RawClient.open(hub, '/mcp/codex');
    await client.call(1, 'web_work', { secret: 'not in any trace' }, { traceparent: `00-${TRACE}-${PARENT}-01` });
    await client.call(2, 'demo_fail', {});
    await client.call(3, 'demo_slow', {});
    await client.call(4, 'web_work', {}, { traceparent: `00-${TRACE}-${PARENT}-00` });
    await expect.poll(() => collector.spans.length).toBe(3);
    const [first, failed, denied] = collector.spans as [SentSpan, SentSpan, SentSpan];
    expect(first).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: 'tools/call work', kind: 2 });
    expect(attributesOf(first)).toMatchObject({
      'mcp.method.name': 'tools/call',
      'mcp.session.id': client.session,
      'gen_ai.tool.name': 'work',
      'junctor.server': 'web',
      'junctor.agent': 'codex',
      'junctor.outcome': 'done',
    });
    expect(BigInt(first.endTimeUnixNano)).toBeGreaterThan(BigInt(first.startTimeUnixNano));
    expect(Math.abs(Number(BigInt(first.startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(600_000);
    // The server goes on with the hub's span; a trace that its client does not keep is passed on as such.
    expect(seen).toEqual([`00-${TRACE}-${first.spanId}-01`, expect.stringMatching(`^00-${TRACE}-[\\da-f]{16}-00$`)]);
    expect([failed.parentSpanId, failed.status, attributesOf(failed)['error.type']]).toEqual([
      undefined,
      { code: 2, message: 'tool_failed' },
      'tool_failed',
    ]);
    expect([denied.status.message, attributesOf(denied)['junctor.outcome']]).toEqual(['permission_denied', 'not_sent']);
    expect(failed.traceId).not.toBe(denied.traceId);
    expect([JSON.stringify(collector.spans).includes('not in any trace'), collector.headers[0]]).toEqual([
      false,
      'key 0123456789',
    ]);
    expect(collector.services[0]).toBe('junctor-hub');
    // Sent is what the collector has said that it took.
    const metrics = async () => (await hub.fetch('/metrics')).text();
    await expect.poll(metrics).toContain('\njunctor_spans_sent_total 3\n');
  });

  test('hold nobody up where the collector is away, and are sent before the hub ends where it is not', async () => {
    await using home = await makeHome();
    await using collector = await startCollector();
    home.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = `${collector.url}/v1/traces`;
    collector.answerWith(503);
    {
      await using hub = await startHub(home, { servers: { demo: trusted(testServer()) } });
      const client = await RawClient.open(hub, '/mcp/codex');
      for (let id = 1; id <= 20; id++) await client.call(id, 'demo_echo', { text: 'x' });
      const metrics = async () => (await hub.fetch('/metrics')).text();
      await expect.poll(metrics).toContain('\njunctor_spans_dropped_total 20\n');
      await expect
        .poll(() => hub.stderr())
        .toContain(`traces cannot be sent to ${collector.url}: it answers with status 503`);
      collector.answerWith(200);
      await client.call(21, 'demo_echo', { text: 'last' });
    }
    expect(collector.spans).toHaveLength(1);
  });

  test('are off, and _meta is left alone, where no collector is named', async () => {
    await using home = await makeHome();
    const metas: unknown[] = [];
    await using server = await smallHttp(({ asked }) => {
      if (asked.method === 'tools/call') metas.push((asked.params as { _meta?: object })._meta);
      return undefined;
    });
    await using hub = await startHub(home, { servers: { web: trusted({ transport: 'http', url: server.url }) } });
    const client = await RawClient.open(hub, '/mcp/codex');
    await client.call(1, 'web_work', {});
    await client.call(2, 'web_work', {}, { traceparent: `00-${TRACE}-${PARENT}-01` });
    const progressToken = expect.anything();
    expect(metas).toEqual([{ progressToken }, { progressToken, traceparent: `00-${TRACE}-${PARENT}-01` }]);
    expect(await (await hub.fetch('/metrics')).text()).not.toContain('junctor_spans');
  });
});

test('a monitor reads calls by outcome, durations, sessions, instances, approvals and the process', async () => {
  await using home = await makeHome();
  const demo = trusted(testServer());
  const config = {
    servers: { demo: { ...demo, mode: 'shared' }, asks: testServer() },
    permissions: { deny: ['mcp__demo__fail'] },
  };
  await using hub = await startHub(home, config);
  const client = await RawClient.open(hub, '/mcp/codex');
  for (let id = 1; id <= 3; id++) await client.call(id, 'demo_echo', { text: 'x' });
  await client.call(4, 'demo_fail', {});
  const slow = client.call(5, 'demo_slow', { ms: 60_000 }).catch(() => {});
  const asked = client.call(6, 'asks_echo', { text: 'x' }).catch(() => {});
  await expect.poll(async () => (await rest(hub, '/api/approvals')).body.approvals.length).toBe(1);
  const sent = async () =>
    (await rest(hub, '/api/calls')).body.running.map((call: { sent: boolean }) => call.sent).sort();
  await expect.poll(sent).toEqual([false, true]);
  const answer = await hub.fetch('/metrics');
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find(line => line.startsWith(`${name} `))
        ?.slice(name.length + 1),
    );
  expect([
    value('junctor_call_outcomes_total{server="demo",outcome="done"}'),
    value('junctor_call_outcomes_total{server="demo",outcome="not_sent"}'),
    value('junctor_calls_total{agent="codex",server="demo",tool="echo"}'),
    value('junctor_call_duration_seconds_bucket{server="demo",le="+Inf"}'),
    value('junctor_calls_in_flight'),
    value('junctor_approvals_waiting'),
    value('junctor_sessions'),
    value('junctor_instances{server="demo"}'),
    value('junctor_instance_sessions{server="demo"}'),
    value('junctor_instance_requests{server="demo"}'),
    value('junctor_servers{state="ready"}'),
  ]).toEqual([3, 1, 3, 3, 2, 1, 1, 1, 1, 1, 2]);
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_start_time_seconds',
    'nodejs_heap_size_used_bytes',
  ])
    expect(value(name), name).toBeGreaterThan(0);
  // Every series has a help line and a type, and no two lines are the same series.
  const series = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  expect(new Set(series.map(line => line.slice(0, line.lastIndexOf(' ')))).size).toBe(series.length);
  for (const line of series) {
    const [first = ''] = /^\w+/.exec(line) ?? [];
    const name = first.replace(/_(bucket|sum|count)$/, '');
    expect(text, line).toMatch(new RegExp(`^# TYPE ${name}`, 'm'));
  }
  hub.process.kill('SIGKILL');
  await Promise.all([slow, asked]);
});
