/** One JSON-RPC message per line on a pipe of this machine, both eras. The connection is the session. */
import type { Socket } from 'node:net';
import { shortFrame } from '@junctor/core/inside';
import { asOneLine } from '../visit/reply.ts';
import type { Room } from '../visit/room.ts';
import { MOST_UNREAD } from '../visit/unread.ts';
import type { Wire } from './channel-reply.ts';
import { ClientConnection } from './client-connection.ts';
import type { DoorContext } from './door.ts';

export interface PipeVisit {
  readonly path: string;
  readonly room: () => Room;
  readonly principal: string;
  readonly socket: Socket;
}

const LINE_END = Buffer.from('\n');

export function openPipeDoor(context: DoorContext, { path, room, principal, socket }: PipeVisit): ClientConnection {
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
  };
  return new ClientConnection({ door: path, room, principal, sessions, connections, news, wire });
}
