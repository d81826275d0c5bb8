// proxy-chain as it is, without authentication, in the version that bursar-edge uses.
import { Server } from 'proxy-chain';

const server = new Server({ host: '127.0.0.1', port: 0 });
await server.listen();
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.port}` })}\n`);
