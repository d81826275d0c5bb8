// The least work in Node: looks only at the path.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { account, balance, envelope } from './answers.ts';

const server = createServer((request, response) => {
	request.resume();
	request.on('end', () => {
		const body = JSON.stringify(envelope(request.url?.endsWith('_balance') ? balance : account));
		response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
		response.end(body);
	});
});
server.listen(0, '127.0.0.1', () => {
	process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});
