/** The traffic of a server from now on, as long as it is shown: bounded, newest first. */
import type { SeenTraffic } from '@junctor/hub/answers';
import { useEffect, useReducer } from 'react';
import { hubAddress } from '../../../api/hub-address.ts';
import { idOf } from './seen-message.ts';

export interface SeenMessage {
  readonly key: number;
  readonly seen: SeenTraffic;
  /** How long its question had waited, for an answer. */
  readonly tookMs: number | undefined;
}

export interface Noted {
  readonly messages: readonly SeenMessage[];
  readonly printed: string;
  readonly missed: number;
  readonly count: number;
}

const MOST_MESSAGES = 300;
const MOST_CHARACTERS = 16_000;
const NOTHING: Noted = { messages: [], printed: '', missed: 0, count: 0 };

/** Messages that come within one moment are drawn together. */
const PAUSE_MS = 100;

type Happened = { readonly seen: readonly SeenTraffic[]; readonly missed: number } | 'clear' | 'opened';

export function useTraffic(id: string, isPaused: boolean): Noted & { readonly clear: () => void } {
  const [noted, tell] = useReducer(after, NOTHING);
  useEffect(() => {
    if (isPaused) return;
    const source = new EventSource(hubAddress(`/api/servers/${encodeURIComponent(id)}/traffic`));
    let seen: SeenTraffic[] = [];
    let missed = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        tell({ seen, missed });
        seen = [];
        missed = 0;
      }, PAUSE_MS);
    };
    // The hub begins with what was printed before.
    source.onopen = () => tell('opened');
    source.addEventListener('seen', event => {
      seen.push(JSON.parse(event.data) as SeenTraffic);
      soon();
    });
    source.addEventListener('missed', event => {
      missed += Number(event.data);
      soon();
    });
    return () => {
      source.close();
      clearTimeout(timer);
    };
  }, [id, isPaused]);
  return { ...noted, clear: () => tell('clear') };
}

function after(noted: Noted, happened: Happened): Noted {
  if (happened === 'clear') return { ...NOTHING, count: noted.count };
  if (happened === 'opened') return { ...noted, printed: '' };
  let { messages, printed, count } = noted;
  for (const seen of happened.seen) {
    if (seen.kind === 'printed') printed = (printed + seen.text).slice(-MOST_CHARACTERS);
    else {
      messages = [{ key: count, seen, tookMs: timeSince(messages, seen) }, ...messages].slice(0, MOST_MESSAGES);
      count += 1;
    }
  }
  return { messages, printed, count, missed: noted.missed + happened.missed };
}

/** From its question, where this is the answer to one that was seen. */
function timeSince(messages: readonly SeenMessage[], { text, kind, life, at }: SeenTraffic): number | undefined {
  const answer = idOf(text);
  if (!answer || answer.asks) return undefined;
  const asked = messages.find(({ seen }) => {
    if (seen.kind === kind || seen.life !== life) return false;
    const question = idOf(seen.text);
    return question?.asks === true && question.id === answer.id;
  });
  return asked && Date.parse(at) - Date.parse(asked.seen.at);
}
