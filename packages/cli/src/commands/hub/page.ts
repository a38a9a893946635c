import { dataDirectory, JunctorError } from '@junctor/core/light';
import { findHub } from '@junctor/hub';
import { defineCommand } from '../../command.ts';

export const hubPage = defineCommand({
  details: 'The address is good for one visit within an hour. The browser stays logged in for 12 hours.',
  async run(context) {
    const hub = await findHub(dataDirectory(context.surroundings, context.global.data));
    if (!hub)
      throw new JunctorError('connection_failed', 'No hub runs on this data directory.', { hint: 'junctor hub' });
    const answer = await fetch(`${hub.url}/api/login`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hub.token}` },
      signal: context.signal,
    });
    if (!answer.ok)
      throw new JunctorError('connection_failed', `The hub at ${hub.url} answers with status ${answer.status}.`, {
        hint: 'junctor hub status',
      });
    const { url } = (await answer.json()) as { url: string };
    context.answer({ json: { url }, text: url });
    return 0;
  },
});
