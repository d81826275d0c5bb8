// Writes the generated parts of the Python client. With --check, it only says which of them are out of date.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import software from '../../../package.json' with { type: 'json' };
import { openApiDocument } from '../../../packages/contract/src/openapi.ts';
import { generatedFiles, staleFiles } from './generated-files.ts';
import type { ApiDocument } from './schemas.ts';

const CLIENT = join(import.meta.dirname, '..');

const document = openApiDocument(software.version) as unknown as ApiDocument;
const files = generatedFiles(document, software.version, CLIENT);
const stale = staleFiles(CLIENT, files);
if (process.argv.includes('--check')) {
	for (const file of stale) process.stderr.write(`clients/python/${file} is out of date.\n`);
	if (stale.length > 0) {
		process.stderr.write('Write it with `node clients/python/generate/main.ts`.\n');
		process.exitCode = 1;
	}
} else {
	for (const file of stale) {
		const path = join(CLIENT, file);
		const text = files.get(file);
		if (text === undefined) rmSync(path);
		else {
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, text);
		}
	}
}
