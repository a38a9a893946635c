/** Which project's servers, tools and agents the page shows. Only where clients work in several. */
import { chooseProject, chosenProject } from '../api/project.ts';
import { useProjects } from '../api/queries.ts';

export function ProjectSelect() {
  const { data } = useProjects();
  if (!data || data.projects.length === 0) return null;
  return (
    <label className="flex flex-col gap-1 px-2 text-sm text-quiet">
      Project
      <select
        className="w-full rounded border border-line bg-page p-1"
        value={chosenProject() ?? ''}
        onChange={event => chooseProject(event.target.value)}
      >
        <option value="">{data.own ?? 'None: your own servers'}</option>
        {data.projects.map(({ id, folder }) => (
          <option key={id} value={id}>
            {folder}
          </option>
        ))}
      </select>
    </label>
  );
}
