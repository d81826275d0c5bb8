// `npm run pictures`: takes the pictures of the documents from the demo, with Chromium.
import { join } from 'node:path';
import { root, runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

await setUp();
process.exitCode = await runNode([join(root, 'packages/server/test/pictures/take-pictures.ts')]);
