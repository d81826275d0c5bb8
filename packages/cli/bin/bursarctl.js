#!/usr/bin/env node
import { runHereOrOnPinnedNode } from '@bursar/pinned-node';

await runHereOrOnPinnedNode('bursarctl', () => import('../src/main.ts'));
