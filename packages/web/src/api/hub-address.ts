import { ofProject } from './project.ts';

/** Where a path of the hub is for this page: below the path of the page, which a proxy may have put in front of it. */
export function hubAddress(path: string): string {
  return new URL(`.${ofProject(path)}`, new URL('.', document.location.href)).href;
}
