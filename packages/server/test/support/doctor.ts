import type { TestContext } from 'node:test';
import { type BursarOptions, runBursar } from '@bursar/testing/bursar-process';

/** What `bursar doctor --json` printed. */
export interface Examined {
	readonly code: number | null;
	/** Everything that it printed. */
	readonly output: string;
	/** `check state: text`, one for each finding. */
	readonly lines: readonly string[];
	/** The same for those that are problems. */
	readonly problems: readonly string[];
	readonly durationMs: number;
}

/** Runs `bursar doctor` on the store in a folder. */
export async function examine(
	t: TestContext,
	dataDir: string,
	environment: Readonly<Record<string, string>> = {},
	options: Pick<BursarOptions, 'uid'> = {},
): Promise<Examined> {
	const beganAtMs = performance.now();
	const { code, stdout, stderr } = await runBursar(t, dataDir, ['doctor', '--json'], { ...options, environment });
	const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; text: string }[] };
	const lines = findings.map(({ check, state, text }) => `${check} ${state}: ${text}`);
	return {
		code,
		output: stdout + stderr,
		lines,
		problems: lines.filter((line) => /^\w+ problem:/.test(line)),
		durationMs: performance.now() - beganAtMs,
	};
}
