// Bursar as `bursar serve` builds it. An optional argument limits the commands in a group commit. Each message from the
// parent process gets the longest block of the event loop since the previous message.

import { createLogger } from '@bursar/terminal/logger';
import { readConfig } from '../../packages/server/src/config.ts';
import { startService } from '../../packages/server/src/service.ts';

const PROBE_MS = 1;

const config = readConfig(process.env);
const maxBatch = process.argv[2];
const parts = maxBatch === undefined ? {} : { maxBatch: Number(maxBatch) };
const service = await startService(config, createLogger(config.logLevel), parts);

let longestMs = 0;
process.on('message', () => {
	process.send?.({ longestBlockMs: longestMs });
	longestMs = 0;
});
if (process.channel) {
	process.channel.unref();
	let lastMs = performance.now();
	setInterval(() => {
		const nowMs = performance.now();
		longestMs = Math.max(longestMs, nowMs - lastMs - PROBE_MS);
		lastMs = nowMs;
	}, PROBE_MS).unref();
}

const { url, opsUrl, edgeUrl } = service;
process.stdout.write(`${JSON.stringify({ url, opsUrl, edgeUrl })}\n`);
process.once('SIGTERM', () => void service.stop().then(() => process.exit()));
