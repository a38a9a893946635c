/** The frozen set in front of tools that are searched: to find, describe and call them. */
import type { Host, ToolRef } from '@junctor/core';
import { CALL_TOOL, DESCRIBE_TOOL, FIND_TOOLS, type ToolSearch, withSchema } from '@junctor/core/inside';
import { type Answered, callForModel, notRun } from './call-for-model.ts';
import { type OwnTool, ownTool } from './own-tool.ts';

export function searchTools(host: Host, search: ToolSearch): OwnTool[] {
  return [FIND_TOOLS, DESCRIBE_TOOL, CALL_TOOL].map(definition =>
    ownTool(host, definition, {
      // A call is judged as one of the tool inside, however it comes.
      judged(args) {
        const wanted = definition === CALL_TOOL ? search.wanted(args) : undefined;
        return wanted && { ref: refOf(wanted.tool), args: wanted.args };
      },
      async run(args, options) {
        const answer = await search.answer(definition.name, args);
        if (answer === undefined) return notRun(`There is no tool '${definition.name}'.`);
        if ('text' in answer) return answer.failed ? notRun(answer.text) : said(answer.text);
        const answered = await callForModel(host, refOf(answer.call), answer.args, options);
        return answered.invalid ? notRun(withSchema(answered.invalid, answer.call)) : answered;
      },
    }),
  );
}

function refOf({ server, tool }: ToolRef): ToolRef {
  return { server, tool };
}

function said(text: string): Answered {
  return { result: { success: true, output: text, parts: [{ type: 'text', text }] } };
}
