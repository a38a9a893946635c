import type { LinkState } from './link/link.ts';

/** What a host tells its surroundings. Names are noun then verb; keys are added, never renamed. */
export type HostEvent =
  | { readonly type: 'state-changed'; readonly server: string; readonly state: LinkState }
  | { readonly type: 'list-changed'; readonly server: string; readonly list: 'tools' }
  | { readonly type: 'tool-call-begin'; readonly server: string; readonly tool: string; readonly call_id: string }
  | {
      readonly type: 'tool-call-end';
      readonly server: string;
      readonly tool: string;
      readonly call_id: string;
      readonly result: unknown;
      readonly is_error: boolean;
    };
