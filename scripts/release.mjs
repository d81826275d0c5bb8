// `npm run release`: makes everything that a person installs.
// With --fixture, it makes the stores by which later versions are tested instead (decision 0032).
import { join } from 'node:path';
import { root, runNode } from './pinned-node.mjs';
import { setUp } from './setup.mjs';

const args = process.argv.slice(2);
const makesFixture = args.length === 1 && args[0] === '--fixture';
const program = makesFixture ? 'packages/server/test/upgrades/make-released-stores.ts' : 'release/src/main.ts';

await setUp();
process.exitCode = await runNode([join(root, program), ...(makesFixture ? [] : args)]);
