#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { keepCompiledCode } from '@bursar/terminal/compile-cache';

// Keeps the short-lived objects of requests out of the old generation (decision 0042). Set before anything is compiled,
// because V8 keeps compiled code for its flags.
setFlagsFromString('--no-allocation-site-pretenuring');
keepCompiledCode(import.meta.dirname);
// Loaded after that, so that its compiled code is kept too.
const { bursar } = await import('./bursar.ts');
await bursar(process.argv);
