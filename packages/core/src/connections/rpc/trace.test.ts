import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Log } from '../../base/log/log.ts';
import { Redactor } from '../../base/log/redact.ts';
import { HttpTarget } from '../transports/http/http-target.ts';
import { traceHttp } from './trace.ts';

test('a key in the address is masked like one in a header', async () => {
  const server = createServer((_request, response) => response.end());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const lines: string[] = [];
  const log = new Log({ level: 'debug', write: line => lines.push(line), redactor: new Redactor() });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?team=a&api_key=hunter22&x=1`;
  const target = new HttpTarget('files', url, { keepAliveMs: 1000, watch: traceHttp('files', log), environment: {} });
  await new Promise(resolve => {
    const request = target.open('GET', { authorization: 'Bearer hunter23' });
    request.on('response', response => response.resume().on('end', resolve));
    request.end();
  });
  target.close();
  await new Promise(resolve => server.close(resolve));
  expect(lines[0]).toBe('DEBUG: → files: GET /mcp?team=a&api_key=•••&x=1 {"headers":{"authorization":"•••"}}');
});
