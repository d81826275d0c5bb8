// `npm run release`: makes everything that a person installs.
import { join } from 'node:path';
import { root, runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

await setUp();
process.exitCode = await runNode([join(root, 'release/src/main.ts'), ...process.argv.slice(2)]);
