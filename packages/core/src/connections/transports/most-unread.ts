/**
 * So many bytes of what nobody here waits for are kept for a server that does not read. With less, one that is busy for a moment
 * would lose answers to its own questions.
 */
export const MOST_UNREAD_BYTES: number = 32 * 1024 * 1024;
