#!/usr/bin/env node
// CommonJS, because Node starts it faster. A path, because finding a package by name takes Node half a millisecond.
const { runHereOrOnPinnedNode } = require('../../pinned-node/index.js');

runHereOrOnPinnedNode('bursarctl', async (bundle) => {
	const { bursarctl } = bundle ?? (await import('../src/bursarctl.ts'));
	await bursarctl(process.argv);
});
