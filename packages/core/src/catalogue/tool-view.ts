/** What follows from who reads the tools, as a program or a person names it. */
import { type Audience, audienceOf, type Readers } from './profiles/audience.ts';
import { CLIENT_PROFILES } from './profiles/built-in.ts';
import { type Config, defaultView, type ToolView } from './tool-views.ts';
import { type View, viewOf } from './view.ts';

/** Given, else as the config says, else `server_tool` for a client, which puts something before it, and `mcp__` for others. */
export function toolView({ naming, ...readers }: ToolView, { frame }: Config): View {
  const audience = audienceFor(readers, { frame });
  if (audience?.profiles.client === undefined) return defaultView(naming, { frame }, audience);
  return viewOf(naming ?? frame.naming?.strategy ?? 'server_tool', audience);
}

export function audienceFor(readers: Readers, { frame }: Config): Audience | undefined {
  return audienceOf(readers, { models: frame.model_profiles, clients: frame.client_profiles });
}

/** The client profile of an agent: its own, where there is one, else that of any client. */
export function clientOf(agent: string, { frame }: Config): string {
  const known = Object.hasOwn(CLIENT_PROFILES, agent) || Object.hasOwn(frame.client_profiles ?? {}, agent);
  return known ? agent : 'default';
}
