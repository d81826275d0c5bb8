import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 allocate all new objects of this process, in all its threads, in the young generation. A service calls this
 * before it loads its parts.
 *
 * While a service starts, most objects live long. V8 notes this for each place in the code that makes objects, and later
 * allocates what the place makes in the old generation. But requests run some of the same code, and their objects die at
 * once. In the old generation they stay until the next full collection, and keep everything that they refer to: the
 * whole request (docs/decisions/0042-processor-time.md).
 */
export function allocateYoung(): void {
	setFlagsFromString('--no-allocation-site-pretenuring');
}
