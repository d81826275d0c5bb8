#!/usr/bin/env node
// Plain JavaScript, so that an older Node can still say what is wrong.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
	process.stderr.write(
		`bursar needs Node 24.15 or newer, and this is ${process.versions.node}. \`npx bursar\` runs it with the Node that it brings along.\n`,
	);
	process.exitCode = 1;
} else {
	import('../src/cli/bursar.ts').then(({ bursar }) => bursar(process.argv));
}
