import { defineCommand } from '../../command.ts';
import { HubRest } from '../../hub/hub-rest.ts';

export const hubPage = defineCommand({
  details: 'The address is good for one visit within ten minutes. The browser stays logged in for 12 hours.',
  async run(context) {
    const hub = await HubRest.open(context);
    const { url } = await hub.ask<{ url: string }>('/api/login', { method: 'POST' });
    context.answer({ json: { url }, text: url });
    return 0;
  },
});
