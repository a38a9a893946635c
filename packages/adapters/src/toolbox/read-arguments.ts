/** Arguments as a model wrote them: JSON in a text, or nothing for a tool that takes none. Undefined where it is neither. */
export function readArguments(text: string | null | undefined): unknown {
  if (text === undefined || text === null || text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
