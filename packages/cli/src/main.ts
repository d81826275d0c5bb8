#!/usr/bin/env node
import { bursarctl } from './bursarctl.ts';

await bursarctl(process.argv);
