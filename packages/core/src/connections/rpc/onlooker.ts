import type { Frame } from './frame.ts';

/** Somebody who looks on: told of every message in both directions, and of what a program prints. It changes nothing. */
export interface Onlooker {
  onSent(text: string): void;
  onReceived(frame: Frame): void;
  onPrinted(text: string): void;
}
