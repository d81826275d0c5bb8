#!/usr/bin/env node
import { keepCompiledCode } from '@bursar/terminal/compile-cache';

keepCompiledCode(import.meta.dirname);
// Loaded after that, so that its compiled code is kept too.
const { bursarctl } = await import('./bursarctl.ts');
await bursarctl(process.argv);
