import { defineCommand } from '../../command.ts';
import { sendErrand } from '../../hub/send-errand.ts';
import { RunElsewhere } from '../../run-line.ts';

export const mcpCall = defineCommand({
  options: {
    args: { value: 'JSON', help: 'its arguments (default: {})' },
    yes: { help: 'answer yes where permission would be asked' },
    direct: { help: 'go to the server itself, not through a running hub' },
  },
  details: `example: junctor mcp call fs list_directory --args '{"path":"."}'`,
  atHub(argv, context, { options }) {
    // A person may be asked things, and debugging is watched as it happens.
    return options.direct || context.interactive || context.global.debug ? undefined : sendErrand(argv, context);
  },
  async run(context, { options, words }) {
    const { makeCall } = await import('./make-call.ts').catch(error => {
      throw context.errand ? new RunElsewhere() : error;
    });
    return makeCall(context, options, words as [string, string]);
  },
});
