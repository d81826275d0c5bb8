#!/usr/bin/env node
// CommonJS, because Node starts it faster.
const { runHereOrOnPinnedNode } = require('@bursar/pinned-node');

runHereOrOnPinnedNode('bursarctl', async (bundle) => {
	const { bursarctl } = bundle ?? (await import('../src/bursarctl.ts'));
	await bursarctl(process.argv);
});
