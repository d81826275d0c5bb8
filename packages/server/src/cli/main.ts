#!/usr/bin/env node
import { keepCompiledCode } from '@bursar/terminal/compile-cache';

keepCompiledCode(import.meta.dirname);
// Loaded after that, so that its compiled code is kept too.
const { bursar } = await import('./bursar.ts');
await bursar(process.argv);
