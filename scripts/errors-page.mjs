// Writes docs/errors.md from the table in the code. A test compares the two.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '../packages/core/dist/index.js';
import { ROOT } from './setup.mjs';

const EXIT_CODES = {
  usage: 2,
  auth_required: 3,
  approval_required: 3,
  input_required: 3,
  tool_locked: 3,
  trust_required: 3,
  cancelled: 130,
};
const rows = Object.entries(ERROR_CODES).map(
  ([code, meaning]) => `| \`${code}\` | ${EXIT_CODES[code] ?? 1} | ${meaning} |`,
);

writeFileSync(
  join(ROOT, 'docs', 'errors.md'),
  `# Error codes

Every error has a code for programs, a sentence and a next step for people. On the command line \`--json\` prints
\`{ "error": { "code", "message", "why", "hint" } }\`; in the library test \`isJunctorError(error, 'auth_required')\`.

| code | exit code | meaning |
|---|---|---|
${rows.join('\n')}
`,
);
