import { fork } from 'node:child_process';
import { page, redact } from '@bursar/terminal';
import { threadFile } from '../../installation.ts';
import type { Finding } from '../../store/examination.ts';
import { CHECKS, type Check, type CheckResult } from './checks.ts';

/** What a check has found, with the name of the check. */
export interface CheckFinding extends Finding {
	readonly check: Check;
}

/** @bound All checks of `bursar doctor`: a check that has not ended is a problem. */
const LIMIT_MS = 13_000;

/** Runs all checks in a process of their own. Resolves within the limit, whatever hangs. */
export async function runChecks(environment: Readonly<Record<string, string | undefined>>): Promise<CheckFinding[]> {
	const results = new Map<Check, readonly Finding[]>();
	const secrets = secretsIn(environment);
	const unfinished = await new Promise<Finding>((resolve) => {
		const child = fork(threadFile('cli/doctor/examining-process'), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
		const timer = setTimeout(() => end(LATE), LIMIT_MS);
		function end(unfinished: Finding): void {
			clearTimeout(timer);
			// It may wait for a disk, and end later.
			child.kill('SIGKILL');
			if (child.connected) child.disconnect();
			child.unref();
			resolve(unfinished);
		}
		child.once('exit', (code, signal) => end(brokenOff(signal ?? `exit code ${code}`)));
		child.once('error', ({ message }) => end(brokenOff(message)));
		child.on('message', (message: CheckResult | 'done') => {
			if (message === 'done') end(LATE);
			else results.set(message.check, message.findings);
		});
	});
	return CHECKS.flatMap((check) =>
		(results.get(check) ?? [unfinished]).map(({ state, text, remedy }) => ({
			check,
			state,
			text: redact(text, secrets),
			...(remedy !== undefined && { remedy }),
		})),
	);
}

const LATE: Finding = {
	state: 'problem',
	text: `This check did not end within ${LIMIT_MS / 1_000} seconds, or the one that it waits for did not.`,
	remedy: `Something does not answer: a disk, a name server or the database. ${page('docs/operating/trouble.md')}`,
};

function brokenOff(why: string): Finding {
	return {
		state: 'problem',
		text: `The process of the checks ended before this one (${why}).`,
		remedy: 'Look whether the system has ended it for want of memory, and whether this installation is complete.',
	};
}

/** Shorter secrets are parts of usual words: to remove them from our sentences would tell them. */
const SHORT = /^[0-9A-Za-z]{1,7}$/;

/** Variables that are secrets. */
const SECRETS = [
	'BURSAR_MASTER_KEY',
	'PGPASSWORD',
	'BURSAR_TOKEN',
	'BURSAR_EDGE_KEY',
	'BURSAR_STRIPE_KEY',
	'BURSAR_STRIPE_WEBHOOK_SECRET',
	'BURSAR_BTCPAY_KEY',
	'BURSAR_BTCPAY_WEBHOOK_SECRET',
];

/** Secrets that messages of the driver or the system could repeat. A password that is also a name in the URL is shown. */
export function secretsIn(environment: Readonly<Record<string, string | undefined>>): string[] {
	const { BURSAR_DATABASE_URL = '' } = environment;
	const [, inUrl = ''] = /^[a-z]+:\/\/[^:@/]*:(.*)@/s.exec(BURSAR_DATABASE_URL.trim()) ?? [];
	const names = BURSAR_DATABASE_URL.replace(`:${inUrl}@`, '@').split(/[/:@,?&=]+/);
	return [...SECRETS.map((name) => environment[name]), inUrl, unescaped(inUrl)].filter(
		(secret) => secret !== undefined && secret !== '' && !SHORT.test(secret) && !names.includes(secret),
	) as string[];
}

function unescaped(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
