#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { keepCompiledCode } from '@bursar/terminal/compile-cache';

// Keeps the short-lived objects of connections out of the old generation (decision 0042).
setFlagsFromString('--no-allocation-site-pretenuring');
keepCompiledCode(import.meta.dirname);
// Loaded after that, so that its compiled code is kept too.
const { bursarEdge } = await import('./bursar-edge.ts');
await bursarEdge(process.argv);
