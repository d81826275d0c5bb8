import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { page } from '@bursar/terminal';
import { type Config, publicUrlOf } from '../../config.ts';
import { isLoopback } from '../../loopback.ts';
import { newQuestion, readAnswer, SEEN_HEADER, SEEN_PATH, type SeenRequest } from '../../seen-request.ts';
import type { Finding } from '../../store/examination.ts';
import { ask, type HttpAnswer } from './ask.ts';

/** How long the name, the page, and then what is asked beside it may take, in milliseconds. */
const LOOKUP_LIMIT_MS = 3_000;
const PAGE_LIMIT_MS = 5_000;
const ASK_LIMIT_MS = 3_000;
const DAY_MS = 86_400_000;
const FEW_DAYS = 14;
/** An address of TEST-NET-1, which no client has: it is sent as if a client had chosen its own address. */
export const CHOSEN_ADDRESS = '192.0.2.77';
const PAGE = page('docs/operating/dashboard.md', 'Put the dashboard on the Internet');

/** What was learned at the public URL. */
export interface PublicUrlExamination {
	readonly findings: readonly Finding[];
	/** By how much the clock there is ahead of this machine's. */
	readonly aheadMs?: number;
	/** What a service of this store saw of the request. Absent if none answered. */
	readonly seen?: SeenRequest;
}

/**
 * Opens the dashboard at the public URL, as people do. With the key of the store, which may come later, it recognises a
 * service of this store.
 */
export async function examinePublicUrl(
	config: Config,
	storeKey: Promise<Uint8Array | undefined>,
): Promise<PublicUrlExamination> {
	const { publicUrl } = config;
	if (!config.dashboard) return { findings: [{ state: 'skipped', text: 'The dashboard is turned off.' }] };
	if (publicUrl === undefined) return { findings: [unsetFinding(config)] };
	const url = new URL(publicUrl);
	const findings = isLoopback(url.hostname) || url.protocol === 'https:' ? [] : [plainFinding(publicUrl)];
	try {
		await lookUp(url.hostname.replace(/^\[(.*)\]$/, '$1'));
	} catch (cause) {
		const text = `The name ${url.hostname} cannot be resolved (${(cause as NodeJS.ErrnoException).code}).`;
		const remedy = `Correct the DNS, or BURSAR_PUBLIC_URL: ${PAGE}`;
		return { findings: [...findings, { state: 'problem', text, remedy }] };
	}
	const askedAtMs = Date.now();
	let page: HttpAnswer;
	try {
		page = await ask(`${publicUrl}/dashboard/`, PAGE_LIMIT_MS);
	} catch (cause) {
		return { findings: [...findings, unreachableFinding(publicUrl, cause as NodeJS.ErrnoException)] };
	}
	const aheadMs = dateOf(page, (askedAtMs + Date.now()) / 2);
	const seenKey = await storeKey;
	const [seen, metrics] = await Promise.all([askWhatIsSeen(publicUrl, seenKey), askOrNothing(`${publicUrl}/metrics`)]);
	return {
		findings: [
			...findings,
			...certificateFindings(page),
			pageFinding(publicUrl, page, seen, seenKey),
			...(metrics?.body.includes('bursar_build_info') ? [metricsFinding(publicUrl)] : []),
		],
		...(aheadMs !== undefined && { aheadMs }),
		...(seen && { seen }),
	};
}

/** The system may wait much longer. */
async function lookUp(name: string): Promise<void> {
	const tooLate = new AbortController();
	const late = delay(LOOKUP_LIMIT_MS, undefined, { signal: tooLate.signal }).then(() => {
		throw Object.assign(new Error('the name server does not answer'), { code: 'no answer' });
	});
	await Promise.race([lookup(name), late]).finally(() => tooLate.abort());
}

async function askWhatIsSeen(publicUrl: string, key: Uint8Array | undefined): Promise<SeenRequest | undefined> {
	if (!key) return undefined;
	const question = newQuestion(key);
	const headers = { [SEEN_HEADER]: question, 'x-forwarded-for': CHOSEN_ADDRESS };
	const answer = await askOrNothing(`${publicUrl}/dashboard/api${SEEN_PATH}`, headers);
	return answer && readAnswer(key, question, answer.body);
}

function askOrNothing(url: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer | undefined> {
	return ask(url, ASK_LIMIT_MS, headers).catch(() => undefined);
}

function unsetFinding(config: Config): Finding {
	const { host, port } = config;
	const address = publicUrlOf(config, port);
	const text = `BURSAR_PUBLIC_URL is not set: the dashboard works at ${address} on this machine alone.`;
	if (isLoopback(host)) return { state: 'skipped', text };
	return { state: 'warning', text, remedy: `Set BURSAR_PUBLIC_URL: ${PAGE}` };
}

function plainFinding(publicUrl: string): Finding {
	const text = `${publicUrl} is plain http: passwords and sessions can be read on the way, and passkeys do not work.`;
	return { state: 'problem', text, remedy: `Put a proxy that ends TLS in front, and set an https URL: ${PAGE}` };
}

function unreachableFinding(publicUrl: string, { code, message }: NodeJS.ErrnoException): Finding {
	const isCertificate = /CERT|SIGNATURE|^ERR_TLS/.test(code ?? '');
	const text = isCertificate
		? `The certificate of ${publicUrl} is not valid (${code}).`
		: `${publicUrl} cannot be reached from this machine (${code === 'ABORT_ERR' ? message : (code ?? message)}).`;
	const remedy = isCertificate
		? 'Renew the certificate on the proxy in front, or send its whole chain.'
		: `Look at the proxy in front, the firewall and the DNS: ${PAGE}`;
	return { state: 'problem', text, remedy };
}

function certificateFindings({ certificateEndsAtMs }: HttpAnswer): Finding[] {
	if (certificateEndsAtMs === undefined) return [];
	const days = Math.floor((certificateEndsAtMs - Date.now()) / DAY_MS);
	const text = `The certificate is valid for ${days} more days.`;
	if (days >= FEW_DAYS) return [{ state: 'ok', text }];
	return [{ state: 'warning', text, remedy: 'Renew the certificate on the proxy in front.' }];
}

function pageFinding(
	publicUrl: string,
	{ status, headers }: HttpAnswer,
	seen: SeenRequest | undefined,
	key: Uint8Array | undefined,
): Finding {
	if (status !== 200) {
		const text = `${publicUrl}/dashboard/ answers ${status} instead of the dashboard.`;
		return { state: 'problem', text, remedy: `Look at the service and at the proxy in front: ${PAGE}` };
	}
	if (seen) return { state: 'ok', text: `${publicUrl} leads to a service of this store, of version ${seen.version}.` };
	if (!key) {
		const text = `${publicUrl} answers. Without the master key it cannot be seen whether it is a service of this store.`;
		return { state: 'warning', text };
	}
	const what = headers['permissions-policy']?.includes('publickey-credentials') ? 'a Bursar' : 'something';
	const text = `${publicUrl} answers, but ${what} that is no service of this store.`;
	return { state: 'problem', text, remedy: `Correct BURSAR_PUBLIC_URL, or what the proxy in front leads to: ${PAGE}` };
}

function metricsFinding(publicUrl: string): Finding {
	const text = `${publicUrl}/metrics shows the metrics of the service to everybody.`;
	return {
		state: 'problem',
		text,
		remedy: `Never make the operations port public: ${page('docs/operating/settings.md')}`,
	};
}

/** How far the `Date` of an answer, which has whole seconds, is ahead of a time. */
function dateOf({ headers }: HttpAnswer, nowMs: number): number | undefined {
	const atMs = Date.parse(headers.date ?? '');
	return Number.isNaN(atMs) ? undefined : atMs + 500 - nowMs;
}
