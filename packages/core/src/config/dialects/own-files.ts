/** Files that are in our own format by their name. */
const OWN_FILES =
  /(^|[/\\])(junctor(\.local)?\.\w+|\.junctor[/\\]config\.\w+|junctor[/\\](config|policy)\.\w+|plugin\.json)$/;

export function isOwnFile(file: string): boolean {
  return OWN_FILES.test(file);
}
