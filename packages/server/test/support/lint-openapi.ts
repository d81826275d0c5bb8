import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '@bursar/testing/temporary-folder';

interface LintReport {
	readonly exitCode: number;
	readonly problems: readonly { readonly ruleId: string }[];
}

/** Checks an OpenAPI document by the recommended rules of Redocly. */
export async function lintOpenApi(t: TestContext, document: unknown): Promise<LintReport> {
	// Runs in its own folder, so that Redocly finds no other configuration.
	const folder = temporaryFolder(t);
	writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
	const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');
	const redocly = spawn(process.execPath, [cli, 'lint', 'openapi.json', '--extends=recommended', '--format=json'], {
		cwd: folder,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { HOME: folder, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
	});
	const ended = new Promise<number>((resolve) => redocly.once('close', (code) => resolve(code ?? 1)));
	const [report, errors, exitCode] = await Promise.all([text(redocly.stdout), text(redocly.stderr), ended]);
	try {
		return { exitCode, problems: JSON.parse(report).problems };
	} catch {
		throw new Error(`redocly gave no report: ${report}${errors}`);
	}
}
