// A process on the server's machine of a routed network. Its clients see a service that does not know expiry.
import { createServer } from 'node:http';
import { relayHttp } from '@bursar/testing/http-relay';

const [port = '', serverPort = ''] = process.argv.slice(2);
const relay = relayHttp(`http://127.0.0.1:${serverPort}`, async (request, forward) => {
	const reply = await forward({ ...request, headers: withoutExpiry(request.headers) });
	return { ...reply, headers: withoutExpiry(reply.headers) };
});
createServer(relay).listen(Number(port), '0.0.0.0', () => process.stdout.write('ready\n'));

function withoutExpiry({ 'x-request-expires': _, ...headers }: Readonly<Record<string, string>>) {
	return headers;
}
