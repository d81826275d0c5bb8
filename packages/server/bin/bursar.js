#!/usr/bin/env node
// `bursar` in a checkout. A package has the build of the same sources instead.
import { runSources } from '../../../scripts/pinned-node.mjs';

await runSources(new URL('../src/cli/main.ts', import.meta.url));
