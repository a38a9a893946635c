/** The least that loading can be: read each file, JSON.parse it, hold each server against the schema. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileFrame } from '../../packages/core/src/config/schema/schema.ts';
import { ServerDef } from '../../packages/core/src/config/schema/server-schema.ts';

const home = process.argv[2] as string;
const started = performance.now();
let servers = 0;
for (const file of globSync(join(home, 'config', 'junctor', '**', '*.json'))) {
  const frame = FileFrame.parse(JSON.parse(readFileSync(file, 'utf8')));
  for (const server of Object.values(frame.servers ?? {})) {
    ServerDef.parse(server);
    servers++;
  }
}
process.stdout.write(JSON.stringify({ ms: performance.now() - started, servers, problems: 0 }));
