// A process on the server's machine of a routed network. Its clients see a service that does not know some headers.
import { createServer } from 'node:http';
import { relayHttp } from '@bursar/testing/http-relay';

const [port = '', serverPort = '', ...removed] = process.argv.slice(2);
const relay = relayHttp(`http://127.0.0.1:${serverPort}`, async (request, forward) => {
	const reply = await forward({ ...request, headers: withoutRemoved(request.headers) });
	return { ...reply, headers: withoutRemoved(reply.headers) };
});
createServer(relay).listen(Number(port), '0.0.0.0', () => process.stdout.write('ready\n'));

function withoutRemoved(headers: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !removed.includes(name)));
}
