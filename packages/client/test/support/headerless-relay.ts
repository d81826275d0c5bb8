// A process on the server's machine of a routed network: to its clients, it is a service that does not know expiry.
import { createServer, request as send } from 'node:http';

const REQUEST_EXPIRES = 'x-request-expires';

const [port = '', serverPort = ''] = process.argv.slice(2);
createServer(async (request, response) => {
	const chunks: Buffer[] = [];
	request.on('error', () => {});
	response.on('error', () => {});
	try {
		for await (const chunk of request) chunks.push(chunk);
	} catch {
		return;
	}
	const { [REQUEST_EXPIRES]: _, 'transfer-encoding': __, ...headers } = request.headers;
	const body = Buffer.concat(chunks);
	const { method, url: path } = request;
	const relayed = send(
		{
			port: Number(serverPort),
			host: '127.0.0.1',
			method,
			path,
			headers: { ...headers, 'content-length': body.length },
		},
		(answer) => {
			const { [REQUEST_EXPIRES]: ___, ...answered } = answer.headers;
			response.writeHead(answer.statusCode ?? 502, answered);
			answer.pipe(response);
		},
	);
	relayed.on('error', () => response.destroy());
	relayed.end(body);
}).listen(Number(port), '0.0.0.0', () => process.stdout.write('ready\n'));
