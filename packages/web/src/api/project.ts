/** The project whose servers the page shows: `?project=ID` of its address. Without it, what the hub itself serves. */

/** Paths of the hub that read or use servers. `/api/calls` is none: its `project` is a folder. */
const OF_PROJECT =
  /^\/api\/(status|tools(\/\w+)?|servers(\/[^/?]+(\/(sign-in|reconnect|check|traffic))?)?|agents(\/[^/?]+)?|resolve|feasibility(\/[^/?]+)?|explain|preflight|lock(\/approve)?|sign-ins|config\/layers)(\?|$)/;

export function chosenProject(): string | undefined {
  return new URLSearchParams(document.location.search).get('project') ?? undefined;
}

/** The page is loaded anew: nothing of the other project is left on it. */
export function chooseProject(id: string): void {
  document.location.search = id === '' ? '' : String(new URLSearchParams({ project: id }));
}

/** The path for the chosen project, where it takes one. */
export function ofProject(path: string): string {
  return OF_PROJECT.test(path) ? inProject(path) : path;
}

export function inProject(path: string): string {
  const project = chosenProject();
  if (project === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}project=${encodeURIComponent(project)}`;
}
