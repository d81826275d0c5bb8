#!/usr/bin/env node
import { runHereOrOnPinnedNode } from '@bursar/pinned-node';

await runHereOrOnPinnedNode('bursar', async () => {
	const { bursar } = await import('../src/cli/bursar.ts');
	await bursar(process.argv);
});
