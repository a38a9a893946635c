/** What to do where there is nothing yet: said alike wherever it is missed. */

import { Command } from './command.tsx';
import { Notice } from './notice.tsx';
import { PageLink } from './page-link.tsx';
import { ADD } from './route.ts';

export function FirstServer() {
  return (
    <Notice
      title="No MCP servers configured."
      why="Servers are defined once, for all your agents."
      next={
        <>
          <PageLink to={['servers', ADD, 'find']}>Find those that your agents have</PageLink>,{' '}
          <PageLink to={['servers', ADD, 'paste']}>paste what a manual says</PageLink>, or{' '}
          <PageLink to={['servers', ADD]}>fill in a form</PageLink>.
        </>
      }
    />
  );
}

export function FirstAgent({ title }: { title: string }) {
  return (
    <Notice
      title={title}
      next={
        <>
          Choose yours at <PageLink to={['agents']}>Agents</PageLink>: its page writes the hub into its file, or has the
          lines to copy. In a terminal: <Command words="mcp export AGENT --via hub --write" />
        </>
      }
    />
  );
}
