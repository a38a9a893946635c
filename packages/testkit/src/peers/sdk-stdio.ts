import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { sdkServer } from './sdk-server.ts';

await serveStdio(() => sdkServer());
