/** How much a client may leave unread. It is kept in memory until the client reads on, and a hub has hundreds of clients. */

/** Above this a client gets no more log lines and other news of a server: where nobody reads, they are no loss. */
const MOST_NEWS_UNREAD = 4 * 1024 * 1024;

/** Above this a client reads no more, and is let go. Less would part with slow ones over one answer of the largest size. */
export const MOST_UNREAD = 160 * 1024 * 1024;

/** Whether this is left out for a client with so much unread. That a page is done is told once, and somebody waits for it. */
export function isLeftOut(method: string, unread: number): boolean {
  return unread > MOST_NEWS_UNREAD && method !== 'notifications/elicitation/complete';
}
