/** Listening for HTTP: at the port that is wanted, or with a word about who has it; and the end of that. */
import type { Server } from 'node:http';
import { JunctorError } from '@junctor/core';
import { portOwner } from './port-owner.ts';

export interface ListenOptions {
  readonly address: string;
  readonly port: number;
  /** Takes a free port where that one is in use. */
  readonly anyPort?: boolean | undefined;
}

export async function listenAt(server: Server, { address, port, anyPort }: ListenOptions): Promise<string> {
  const isBusy = (error: NodeJS.ErrnoException): boolean => error.code === 'EADDRINUSE';
  try {
    return await listen(server, address, port);
  } catch (error) {
    if (!isBusy(error as NodeJS.ErrnoException)) throw error;
    if (anyPort) return listen(server, address, 0);
    throw portInUse(address, port, await portOwner(port));
  }
}

function listen(server: Server, address: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      const bound = server.address() as { port: number };
      const name = address.includes(':') ? `[${address}]` : address;
      resolve(`http://${name}:${bound.port}`);
    });
  });
}

export function shut(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function portInUse(address: string, port: number, owner: string): JunctorError {
  return new JunctorError('port_in_use', `Port ${port} on ${address} is in use by ${owner}.`, {
    hint: 'end that program, or choose another port with --port',
  });
}
