import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Engine } from './edge-engines.ts';
import type { Reported, Reports } from './targets/reporter.ts';

const CONNECTIONS = 8;

/** Reports counters from a process of its own. They go on where the previous run ended. */
export function startReporter(engine: Engine, until: Pick<Reports, 'seconds' | 'requests'>) {
	const child = spawn(process.execPath, [join(import.meta.dirname, 'targets/reporter.ts')], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const { edge, service } = engine;
	const reports: Reports = {
		url: service.edgeUrl as string,
		key: edge.key,
		usernames: edge.pairs.map(({ username }) => username),
		connections: CONNECTIONS,
		from: engine.requests,
		...until,
	};
	child.stdin.end(JSON.stringify(reports));
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const begun = lines.next();
	return {
		/** Resolves when it begins to report. */
		begun,
		async reported(): Promise<Reported> {
			await begun;
			const { value: line } = await lines.next();
			if (line === undefined) throw new Error(`${engine.name}: the reporter failed`);
			const reported = JSON.parse(line) as Reported;
			engine.requests += reported.requests;
			return reported;
		},
	};
}
