import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { listen } from '@bursar/testing/listen';
import { askProvider } from '../../../src/payments/providers/ask-provider.ts';

const { signal } = new AbortController();

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
	const { port } = await listen(t, createServer(answer));
	return `http://127.0.0.1:${port}`;
}

test('a redirect is not followed, wherever it leads', async (t) => {
	const paths: string[] = [];
	const url = await serve(t, ({ url: path = '' }, response) => {
		paths.push(path);
		response.writeHead(302, { location: '/elsewhere' }).end('{}');
	});
	await assert.rejects(askProvider(`${url}/`, {}, signal), /the answer is a redirect \(302\), which is not followed/);
	assert.deepEqual(paths, ['/']);
});

test('an answer without an end is cut off, and counts as none', async (t) => {
	let written = 0;
	const url = await serve(t, (_request, response) => {
		const chunk = Buffer.alloc(65_536, ' ');
		const write = () => {
			do written += chunk.length;
			while (response.write(chunk));
		};
		response.on('drain', write).on('error', () => {});
		write();
	});
	await assert.rejects(askProvider(url, {}, signal), { message: /the answer has more than \d+ bytes/ });
	assert.ok(written < 100 * 2 ** 20);
});

test('an error of the connection shows its code only', async (t) => {
	const url = await serve(t, ({ socket }) => socket.resetAndDestroy());
	const headers = { authorization: 'secret' };
	await assert.rejects(askProvider(`${url}/secret`, { headers }, signal), (error: Error) => {
		assert.match(error.message, /^the connection failed \([A-Z_]+\)$/);
		assert.equal(error.cause, undefined);
		return true;
	});
});
