/** `read_result`, by which a model reads on in a result that was cut. */
import type { Host } from '@junctor/core';
import { READ_RESULT, readingParts, toToolResult } from '@junctor/core/inside';
import { type OwnTool, ownTool } from './own-tool.ts';

export function readResult(host: Host): OwnTool {
  return ownTool(host, READ_RESULT, {
    async run({ id, ...query }, { session }) {
      const reading = await host.readResult(String(id), query, session);
      const trusted = host.server(reading.server)?.trusted ?? false;
      return { result: toToolResult({ content: readingParts(reading, { trusted }) }) };
    },
  });
}
