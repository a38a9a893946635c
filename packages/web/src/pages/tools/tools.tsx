/** Every tool of every server, with its origin; and one of them with its schema and how it went so far. */

import { useTool } from '../../api/queries.ts';
import { Failure, Loading } from '../../parts/notice.tsx';
import type { PageProps } from '../../shell/pages.tsx';
import { ToolDetail } from './tool-detail.tsx';
import { ToolList } from './tool-list.tsx';

export default function Tools({ rest: [name] }: PageProps) {
  return name === undefined ? <ToolList /> : <OneTool key={name} name={name} />;
}

function OneTool({ name }: { name: string }) {
  const { data, error } = useTool(name);
  if (error && !data) return <Failure error={error} />;
  return data ? <ToolDetail tool={data} /> : <Loading />;
}
