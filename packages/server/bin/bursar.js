#!/usr/bin/env node
// CommonJS, because Node starts it faster.
const { runHereOrOnPinnedNode } = require('@bursar/pinned-node');

runHereOrOnPinnedNode('bursar', async (bundle) => {
	const { bursar } = bundle ?? (await import('../src/cli/bursar.ts'));
	await bursar(process.argv);
});
