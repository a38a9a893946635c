/**
 * All that is said to a server and by it, as debug lines: bodies, headers, how long an answer took. Wrapped around a
 * channel only where somebody wants it: whoever does not pays nothing.
 */

import type { Log } from '../../base/log/log.ts';
import { MASK, namesSecret } from '../../base/log/redact.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import { maskDefinition } from '../../config/masking/masking.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import type { RemoteContext } from '../transports/remote-context.ts';
import { findAnswerId } from './answer-id.ts';
import type { Channel, ChannelListener } from './channel.ts';
import { type Frame, frameBytes } from './frame.ts';

/** More of a body than this tells nobody anything, and fills the log. */
const SHOWN_BYTES = 10_000;

export function traced(channel: Channel, server: string, log: Log): Channel {
  const sentAt = new Map<number, number>();
  channel.output?.logTo(line => log.debug(`${server} prints: ${line}`));
  return {
    listen: listener => channel.listen(listening(listener, server, log, sentAt)),
    send(text, id, headers) {
      if (id !== undefined) sentAt.set(id, monotonicMs());
      log.debug(`→ ${server}`, { body: shown([Buffer.from(text)]) });
      channel.send(text, id, headers);
    },
    abandon(id) {
      sentAt.delete(id);
      channel.abandon?.(id);
    },
    agreed: version => channel.agreed?.(version),
    greeted: () => channel.greeted?.(),
    output: channel.output,
    pid: channel.pid,
    lastWords: () => channel.lastWords?.(),
  };
}

function listening(listener: ChannelListener, server: string, log: Log, sentAt: Map<number, number>): ChannelListener {
  return {
    get inFlight() {
      return listener.inFlight;
    },
    awaits: id => listener.awaits(id),
    onHeld: id => listener.onHeld(id),
    onSent: id => listener.onSent(id),
    onFrame(frame, during) {
      const id = findAnswerId(frame)?.id;
      const since = id === undefined ? undefined : sentAt.get(id);
      if (id !== undefined) sentAt.delete(id);
      const took = since === undefined ? {} : { ms: Math.round((monotonicMs() - since) * 10) / 10 };
      log.debug(`← ${server}`, { ...took, body: shown(frame) });
      listener.onFrame(frame, during);
    },
    onOversized(ends, bytes) {
      log.debug(`← ${server}: a message of ${bytes} bytes, dropped`);
      listener.onOversized(ends, bytes);
    },
    onRefused(id, error) {
      sentAt.delete(id);
      if (listener.awaits(id)) log.debug(`✗ ${server}: request ${id} failed`, { error });
      listener.onRefused(id, error);
    },
    onRetired: error => listener.onRetired(error),
    onClosed(error) {
      log.debug(`✗ ${server}: connection over`, { error });
      listener.onClosed(error);
    },
  };
}

/** The program that is started for a server, as its config has it; secrets masked. */
export function traceStart({ id, endpoint }: ResolvedServer, log: Log): void {
  const program = endpoint.transport === 'stdio' ? endpoint : endpoint.program;
  if (!program) return;
  const { command, args, cwd } = program;
  const shownAs = maskDefinition({ transport: 'stdio', command, args: [...args], ...(cwd ? { cwd } : {}) });
  log.debug(`starts ${id}`, { command: shownAs.command, args: shownAs.args, cwd: shownAs.cwd });
}

/** HTTP as it goes over the wire: method, path, headers, status. */
export function traceHttp(server: string, log: Log): NonNullable<RemoteContext['watch']> {
  return (request, headers) => {
    log.debug(`→ ${server}: ${request.method} ${maskedPath(request.path)}`, { headers: maskedHeaders(headers) });
    request.once('response', response => {
      const { statusCode, headers: received } = response;
      log.debug(`← ${server}: HTTP ${statusCode}`, { headers: maskedHeaders(received) });
    });
  };
}

/** A key in an address is as much a secret as one in a header. */
function maskedPath(path: string): string {
  return path.replace(/([?&])([^=&?]+)=[^&]*/g, (whole, sign: string, name: string) =>
    namesSecret(name) ? `${sign}${name}=${MASK}` : whole,
  );
}

/** A body as a value, so that what stands under the name of a secret is masked there too. */
function shown(frame: Frame): unknown {
  const bytes = frameBytes(frame);
  const text = Buffer.concat(frame.map(piece => piece.subarray(0, SHOWN_BYTES)))
    .subarray(0, SHOWN_BYTES)
    .toString('utf8');
  if (bytes > SHOWN_BYTES) return `${text}… (${bytes} bytes)`;
  try {
    return JSON.parse(text, (key, value) => (typeof value === 'string' && namesSecret(key) ? MASK : value));
  } catch {
    return text;
  }
}

function maskedHeaders(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, namesSecret(name) ? MASK : value]));
}
