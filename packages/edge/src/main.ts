#!/usr/bin/env node
import { keepCompiledCode } from '@bursar/terminal/compile-cache';

keepCompiledCode(import.meta.dirname);
// Loaded after that, so that its compiled code is kept too.
const { bursarEdge } = await import('./bursar-edge.ts');
await bursarEdge(process.argv);
