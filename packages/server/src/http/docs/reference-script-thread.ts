import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import reference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import type { EncodedFile } from '../server/encoded-file.ts';

// The plugin offers its script only over HTTP, so we request it here.
const app = Fastify();
await app.register(reference, { routePrefix: '/', configuration: { url: '/' } });
const { statusCode, rawPayload } = await app.inject('/js/scalar.js');
if (statusCode !== 200) throw new Error('the reference page has no script');
parentPort?.postMessage({ plain: rawPayload, gzip: gzipSync(rawPayload) } satisfies EncodedFile);
