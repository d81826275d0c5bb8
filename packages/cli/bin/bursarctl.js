#!/usr/bin/env node
// `bursarctl` in a checkout. A package has the build of the same sources instead.
import { runSources } from '../../../scripts/pinned-node.mjs';

await runSources(new URL('../src/main.ts', import.meta.url));
