#!/usr/bin/env node
// CommonJS, because Node starts it faster. A path, because finding a package by name takes Node half a millisecond.
const { runHereOrOnPinnedNode } = require('../../pinned-node/index.js');

runHereOrOnPinnedNode('bursar', async (bundle) => {
	const { bursar } = bundle ?? (await import('../src/cli/bursar.ts'));
	await bursar(process.argv);
});
