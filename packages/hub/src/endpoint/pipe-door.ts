/** One JSON-RPC message per line on a pipe of this machine, both eras. The connection is the session. */
import type { Socket } from 'node:net';
import { shortFrame } from '@junctor/core/internal';
import type { HoldNotice } from '../front/pipe-words.ts';
import { asOneLine } from '../visit/reply.ts';
import type { Room } from '../visit/room.ts';
import type { SessionOwner } from '../visit/session.ts';
import { MOST_UNREAD } from '../visit/unread.ts';
import type { Wire } from './channel-reply.ts';
import { ClientConnection } from './client-connection.ts';
import type { DoorContext } from './door.ts';

export interface PipeVisit {
  readonly path: string;
  readonly room: () => Room;
  readonly owner: SessionOwner;
  readonly socket: Socket;
  /** Whether its client wants to know which requests wait for approval. */
  readonly holds: boolean;
}

const LINE_END = Buffer.from('\n');

export function openPipeDoor(context: DoorContext, { path, room, owner, socket, holds }: PipeVisit): ClientConnection {
  const { sessions, connections, news } = context;
  const wire: Wire = {
    get congested() {
      return socket.writableNeedDrain;
    },
    get unread() {
      return socket.writableLength;
    },
    send(pieces) {
      if (socket.writableLength > MOST_UNREAD) socket.destroy();
      if (!socket.writable) return;
      const line = asOneLine(pieces);
      const short = shortFrame(line);
      if (short !== undefined) return void socket.write(`${short}\n`, 'latin1');
      socket.cork();
      for (const piece of line) socket.write(piece);
      socket.write(LINE_END);
      socket.uncork();
    },
    close: () => socket.destroySoon(),
    ...(holds ? holding(socket) : {}),
  };
  return new ClientConnection({ door: path, room, owner, sessions, connections, news, wire });
}

function holding(socket: Socket): Required<Pick<Wire, 'hold' | 'release'>> {
  const line = (method: HoldNotice, id: string): string =>
    `{"jsonrpc":"2.0","method":"${method}","params":{"requestId":${id}}}\n`;
  return {
    hold(id) {
      if (socket.writable) socket.write(line('notifications/junctor/held', id));
    },
    release: id =>
      new Promise(resolve => {
        if (socket.writable) socket.write(line('notifications/junctor/released', id), () => resolve());
        else resolve();
      }),
  };
}
