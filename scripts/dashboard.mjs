// `npm run dashboard`: the dashboard's pages with hot reloading, before a service that runs.
import { runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

await setUp();
process.exitCode = await runNode(['packages/dashboard/dev.ts', ...process.argv.slice(2)]);
