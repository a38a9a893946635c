/** What each kind of runtime allows, for all agents: transports, the proxy, and where addresses lead there. */
import { useExecutors } from '../../api/queries.ts';
import { Failure } from '../../parts/notice.tsx';
import { PolicyCard } from './policy-card.tsx';

export default function Executors() {
  const { data, error } = useExecutors();
  if (error) return <Failure error={error} />;
  if (!data) return <p className="text-quiet">Loading …</p>;
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">Executors</h1>
      <ul className="grid gap-4 lg:grid-cols-2">
        {data.executors.map(executor => (
          <li key={executor.executor} className="min-w-0">
            <PolicyCard executor={executor} />
          </li>
        ))}
      </ul>
    </>
  );
}
