import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 allocate all new objects in its young generation. A service calls this before it loads its parts.
 *
 * V8 learns from the objects of the start, most of which live long, and then allocates what the same code makes in the
 * old generation. But requests run the same code, and what they make dies at once. In the old generation it stays until
 * the next full collection, and keeps everything that it refers to: the whole request. Each fast collection then copies
 * a quarter of all garbage (docs/decisions/0042-processor-time.md).
 */
export function allocateYoung(): void {
	setFlagsFromString('--no-allocation-site-pretenuring');
}
