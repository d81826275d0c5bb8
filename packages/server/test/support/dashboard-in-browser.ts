import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { DASHBOARD_API, type DashboardChanges, type DashboardReads, type Role } from '@bursar/contract/dashboard';
import { openBrowser, type PageTrail, trailOf } from '@bursar/testing/browser';
import { startTestService, type TestService } from '@bursar/testing/service';
import Database from 'better-sqlite3';
import type { APIResponse, Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { newId, newLink } from '../../src/credentials.ts';
import { openStore } from '../../src/engine.ts';
import { type CodesApp, createCodesApp } from './codes-app.ts';

/** How long a page may take to show what it should. Generous, because other tests use the machine too. */
const SHOWN_MS = 60_000;

export const PASSWORD = 'correct horse battery staple';

/** A service whose dashboard people open in a real browser. */
export interface TestDashboard {
	readonly service: TestService;
	readonly browser: Browser;
	/** The public URL. */
	readonly url: string;
	/** An empty page of a new visitor, whose browser knows nothing of the others. */
	visit(options?: BrowserContextOptions): Promise<Visitor>;
	/** Invites a person, and returns the link. `reseller` is `null` for an operator. */
	invite(email: string, reseller: string | null): Promise<string>;
	/** A visitor who has just accepted an invitation with `PASSWORD`. The page is empty. */
	signedIn(email: string, reseller: string | null, options?: BrowserContextOptions): Promise<Visitor>;
	/** An operator who has just set up one-time codes. The page is empty. */
	operator(email: string, options?: BrowserContextOptions): Promise<Visitor & { readonly app: CodesApp }>;
	/** Makes the proofs of a person too old. */
	ageProofs(email: string): void;
}

export interface Visitor {
	readonly context: BrowserContext;
	readonly page: Page;
	readonly trail: PageTrail;
	/** Opens a page of the dashboard, like `/token`. */
	open(path: string): Promise<void>;
	/** Sends a change with the visitor's cookie, as a page would. */
	change<Path extends keyof DashboardChanges>(path: Path, body: DashboardChanges[Path]['body']): Promise<APIResponse>;
	/** Reads with the visitor's cookie. */
	read<Path extends keyof DashboardReads>(path: Path, query?: DashboardReads[Path]['query']): Promise<APIResponse>;
	/** Signs in with `PASSWORD` by a request, and throws if that is refused. */
	signIn(email: string): Promise<void>;
}

interface DashboardOptions {
	readonly environment?: Readonly<Record<string, string>>;
	/** By default the address of the service, under the name `localhost`. */
	readonly url?: string;
}

/** Starts a service and a browser, which end with the test. */
export async function startDashboard(test: TestContext, options: DashboardOptions = {}): Promise<TestDashboard> {
	const { environment, url: publicUrl } = options;
	const [service, browser] = await Promise.all([
		startTestService(test, {
			BURSAR_DASHBOARD: '1',
			...environment,
			...(publicUrl !== undefined && { BURSAR_PUBLIC_URL: publicUrl }),
		}),
		openBrowser(test),
	]);
	const url = publicUrl ?? service.url.replace('127.0.0.1', 'localhost');

	async function visit(options: BrowserContextOptions = {}): Promise<Visitor> {
		const context = await browser.newContext({
			viewport: { width: 1280, height: 900 },
			reducedMotion: 'reduce',
			...options,
		});
		context.setDefaultTimeout(SHOWN_MS);
		const page = await context.newPage();
		const change: Visitor['change'] = (path, data) =>
			context.request.post(url + DASHBOARD_API + path, { data, headers: { origin: url } });
		return {
			context,
			page,
			trail: trailOf(page),
			async open(path) {
				await page.goto(`${url}/dashboard${path}`);
			},
			change,
			read: (path, query = {}) => context.request.get(url + DASHBOARD_API + path, { params: { ...query } }),
			async signIn(email) {
				assertOk(await change('/sign-in', { email, password: PASSWORD }));
			},
		};
	}

	async function invite(email: string, reseller: string | null, role: Role = 'owner'): Promise<string> {
		const store = await openStore(service.config);
		const { secret, linkHash } = newLink();
		// A bank would give up a store that is as slow as tests may be.
		const answer = await store.runPersonCommands(
			[
				{
					kind: 'invite_person',
					id: newId(),
					email,
					reseller,
					role: reseller === null ? null : role,
					linkHash,
					purpose: 'set_password',
				},
			],
			store.nowMs(),
		);
		await store.close();
		assert.ok(answer.kind === 'committed' && answer.results[0]?.ok, `${email}: ${JSON.stringify(answer)}`);
		return `${url}/dashboard/invitation#${secret}`;
	}

	async function signedIn(email: string, reseller: string | null, options?: BrowserContextOptions): Promise<Visitor> {
		const link = new URL(await invite(email, reseller)).hash.slice(1);
		const visitor = await visit(options);
		assertOk(await visitor.change('/invitation/accept', { link, password: PASSWORD }));
		return visitor;
	}

	return {
		service,
		browser,
		url,
		visit,
		invite,
		signedIn,
		async operator(email, options) {
			const visitor = await signedIn(email, null, options);
			const { secret, setup } = (await (await visitor.change('/account/codes/setup', {})).json()).data;
			const app = createCodesApp(secret);
			assertOk(await visitor.change('/account/codes', { act: randomUUID(), setup, code: app.next() }));
			return { ...visitor, app };
		},
		ageProofs(email) {
			const store = new Database(join(service.config.dataDir, 'bursar.db'));
			const ofPerson = 'WHERE person = (SELECT id FROM people WHERE email = ?)';
			store.prepare(`UPDATE sessions SET proven_at_ms = 0 ${ofPerson}`).run(email);
			store.close();
		},
	};
}

/** What the browser's console says of a refusal that the page has handled. */
export function refusalLine(status: number, path: keyof DashboardChanges | keyof DashboardReads): string {
	const reason = `the server responded with a status of ${status} (${STATUS_CODES[status]})`;
	return `Failed to load resource: ${reason} [${DASHBOARD_API}${path}]`;
}

/** What is noted of a call whose connection the test breaks, once or more often. */
export function brokenLines(path: keyof DashboardChanges | keyof DashboardReads): readonly string[] {
	const url = DASHBOARD_API + path;
	return [`${url}: net::ERR_FAILED`, `Failed to load resource: net::ERR_FAILED [${url}]`];
}

/** From now on, the page gets no answer of a call that succeeds. */
export async function loseAnswers(page: Page, path: keyof DashboardChanges): Promise<void> {
	await page.route(`**${DASHBOARD_API}${path}`, async (route) => {
		const response = await route.fetch();
		if (response.ok()) await route.abort();
		else await route.fulfill({ response });
	});
}

/** Throws unless the console was silent, except for these lines. */
export function assertSilent({ complaints }: PageTrail, expected: readonly string[] = []): void {
	assert.deepEqual(complaints, expected);
}

/**
 * What a page complained of that polled the token and proved once who it is. A poll that left before the proof carries
 * the cookie which the proof replaced. The service may refuse this one poll, and the page then reads again.
 */
export function complaintsBesidePoll({ complaints }: PageTrail): readonly string[] {
	const refused = complaints.indexOf(refusalLine(401, '/token'));
	return complaints.filter((_, index) => index !== refused);
}

/** Status and error code of an answer, like `409 rotation_pending`, or just `200`. */
export function outcomeOf(answer: Pick<APIResponse, 'status' | 'headers'>): string {
	return [answer.status(), answer.headers()['x-error-code']].filter(Boolean).join(' ');
}

function assertOk(answer: APIResponse): void {
	assert.equal(outcomeOf(answer), '200');
}
