#!/usr/bin/env node
// CommonJS, because Node starts it faster. A path, because finding a package by name takes Node half a millisecond.
const { runHereOrOnPinnedNode } = require('../../pinned-node/index.js');

runHereOrOnPinnedNode('bursar-edge', async (bundle) => {
	const { bursarEdge } = bundle ?? (await import('../src/bursar-edge.ts'));
	await bursarEdge(process.argv);
});
