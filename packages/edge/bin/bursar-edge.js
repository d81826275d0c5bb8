#!/usr/bin/env node
// CommonJS, because Node starts it faster.
const { runHereOrOnPinnedNode } = require('@bursar/pinned-node');

runHereOrOnPinnedNode('bursar-edge', async (bundle) => {
	const { bursarEdge } = bundle ?? (await import('../src/bursar-edge.ts'));
	await bursarEdge(process.argv);
});
