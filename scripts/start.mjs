// `npm start`: the service with demo data.
import { join } from 'node:path';
import { root, runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

await setUp();
process.exitCode = await runNode([join(root, 'packages/server/bin/bursar.js'), 'dev']);
