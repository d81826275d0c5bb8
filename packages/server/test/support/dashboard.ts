import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import {
	DASHBOARD_API,
	type DashboardChanges,
	type DashboardErrorCode,
	type DashboardFiles,
	type DashboardReads,
	dashboardErrors,
	type Role,
} from '@bursar/contract/dashboard';
import { type Answer, call } from '@bursar/testing/api';
import { startTestService, type TestReseller } from '@bursar/testing/service';
import { generateSync } from 'otplib';
import type { PersonCommand, PersonOutcomeOf } from '../../src/commands/registry.ts';
import { hashSecret, newId, newLink } from '../../src/credentials.ts';
import { openStore } from '../../src/engine.ts';
import type { ServiceParts } from '../../src/service.ts';
import type { Store } from '../../src/store/store.ts';
import { softwarePasskey } from './software-passkey.ts';

export const PASSWORD = 'correct horse battery staple';

export type Browser = ReturnType<typeof browserAt>;

interface DashboardParts extends ServiceParts {
	/** Whether passwords cost what they cost a service. By default they cost nothing. */
	readonly realPasswords?: boolean;
}

/** The least that argon2 accepts. */
const CHEAP_PASSWORDS = { memory: 8, passes: 1, parallelism: 1 };

/** A service whose store's clock the test can move, and into whose store it can look. */
export async function startDashboard(
	t: TestContext,
	environment: Readonly<Record<string, string>> = {},
	{ realPasswords = false, ...parts }: DashboardParts = {},
) {
	const clock = movableClock();
	const faults: Partial<Store> = {};
	const opened = Promise.withResolvers<Store>();
	const service = await startTestService(
		t,
		{ BURSAR_DASHBOARD: '1', ...environment },
		{
			...(!realPasswords && { passwordCost: CHEAP_PASSWORDS }),
			...parts,
			async openStore(config) {
				const store = await openStore(config);
				opened.resolve(store);
				return new Proxy(store, {
					get: (_, name: keyof Store) => (name === 'nowMs' ? clock.nowMs : (faults[name] ?? store[name])),
				});
			},
		},
	);
	const store = await opened.promise;
	const publicUrl = environment.BURSAR_PUBLIC_URL ?? `http://localhost:${new URL(service.url).port}`;

	/** Runs a command of the operator. */
	async function change<C extends PersonCommand>(command: C): Promise<PersonOutcomeOf<C>> {
		const answer = await store.runPersonCommands([command], clock.nowMs());
		assert.equal(answer.kind, 'committed');
		return (answer as unknown as { readonly results: readonly [PersonOutcomeOf<C>] }).results[0];
	}

	/** Invites a person, and returns the secret of the link. */
	async function invite(
		email: string,
		reseller: string | null,
		{ purpose = 'set_password', role = 'owner' }: Invitation = {},
	) {
		const { secret, linkHash } = newLink();
		const outcome = await change({
			kind: 'invite_person',
			id: newId(),
			...{ email, reseller, role: reseller === null ? null : role },
			...{ linkHash, purpose },
		});
		assert.ok(outcome.ok, JSON.stringify(outcome));
		return secret;
	}

	/** A person with a password, in a browser that is signed in. */
	async function signedIn(email: string, reseller: string | null, role?: Role): Promise<Browser> {
		const browser = browserAt(service.url, publicUrl, clock);
		await browser.ok('/invitation/accept', { link: await invite(email, reseller, { role }), password: PASSWORD });
		return browser;
	}

	/** An operator with a second factor and a fresh proof. */
	async function operator(email = 'op@bursar.example'): Promise<Browser> {
		const browser = await signedIn(email, null);
		await browser.addPasskey();
		return browser;
	}

	return {
		...service,
		publicUrl,
		store,
		operator,
		clock,
		faults,
		change,
		invite,
		signedIn,
		/** A browser that nobody has used, or one with the cookie of another. */
		browser(headers: Readonly<Record<string, string>> = {}, { jar }: Pick<Browser, 'jar'> = { jar: {} }): Browser {
			const browser = browserAt(service.url, publicUrl, clock, headers);
			browser.jar.cookie = jar.cookie;
			return browser;
		},
		/** A reseller and one of its people, signed in. */
		async resellerWithPerson(
			username: string,
		): Promise<TestReseller & { readonly email: string; readonly browser: Browser }> {
			const reseller = await service.openReseller(username, 1000);
			const email = `ann@${username}.example`;
			return { ...reseller, email, browser: await signedIn(email, username) };
		},
	};
}

interface Invitation {
	readonly purpose?: 'set_password' | 'sign_in';
	/** Of a person of a reseller. */
	readonly role?: Role | undefined;
}

type MovableClock = ReturnType<typeof movableClock>;

/** A clock that a test can move, or stop so that a slow machine does not move it. */
function movableClock() {
	const clock = {
		aheadMs: 0,
		stoppedAtMs: undefined as number | undefined,
		nowMs: () => (clock.stoppedAtMs ?? Date.now()) + clock.aheadMs,
		stop() {
			clock.stoppedAtMs = Date.now();
		},
	};
	return clock;
}

interface AskOptions {
	readonly headers?: Readonly<Record<string, string | null>>;
	readonly method?: string;
}

type Path = keyof DashboardReads | keyof DashboardChanges;

/** A browser at a page of the dashboard: it keeps the cookie, and sends what browsers send. */
export function browserAt(
	url: string,
	publicUrl: string,
	clock: Pick<MovableClock, 'nowMs'> = { nowMs: Date.now },
	ownHeaders: Readonly<Record<string, string>> = {},
) {
	/** The cookie of the session, and the one by which the browser is known. */
	const jar: { cookie?: string | undefined; known?: string | undefined } = {};

	async function ask(path: string, body?: unknown, { headers, method }: AskOptions = {}): Promise<Answer> {
		const answer = await call(url, DASHBOARD_API + path, {
			body,
			nowMs: clock.nowMs(),
			...(method !== undefined && { method }),
			headers: {
				...cookiesOf(jar),
				...(body !== undefined && { origin: publicUrl, 'sec-fetch-site': 'same-origin' }),
				...ownHeaders,
				...headers,
			},
		});
		for (const set of answer.headers.getSetCookie()) {
			const [pair = ''] = set.split(';');
			jar[/^(__Host-)?bursar_browser=/.test(pair) ? 'known' : 'cookie'] = pair.endsWith('=') ? undefined : pair;
		}
		assert.equal(answer.headers.has('x-request-expires'), false, 'only the API honours an expiry');
		assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
		assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
		return answer;
	}

	/** The data of a call that must succeed. */
	async function ok<P extends Path>(
		path: P,
		body?: unknown,
		options?: AskOptions,
		query = '',
	): Promise<NonNullable<(DashboardReads & DashboardChanges)[P]['answer']>> {
		const answer = await ask(path + query, body, options);
		assert.equal(answer.status, 200, `${path}: ${answer.text}`);
		return answer.data;
	}

	return {
		jar,
		address: (path: string) => url + DASHBOARD_API + path,
		ask,
		ok,
		/** The data of a read that must succeed. */
		read: <P extends keyof DashboardReads>(path: P, query: DashboardReads[P]['query'] = {} as never) =>
			ok(path, undefined, {}, queryText(query)),
		/** A change that must succeed, with an act of its own. */
		change: <P extends keyof DashboardChanges>(path: P, body: Omit<DashboardChanges[P]['body'], 'act'>) =>
			ok(path, { act: randomUUID(), ...body }),
		/** The response of a file to download, whose body was not read yet. */
		download: <P extends keyof DashboardFiles>(path: P, query: DashboardFiles[P]['query'], init: RequestInit = {}) =>
			fetch(`${url}${DASHBOARD_API}${path}${queryText(query)}`, {
				...init,
				headers: { cookie: jar.cookie ?? '', ...ownHeaders, 'sec-fetch-site': 'same-origin' },
			}),
		/** A call that must be refused with this code. */
		async refused(code: DashboardErrorCode, path: string, body?: unknown, options?: AskOptions): Promise<Answer> {
			const answer = await ask(path, body, options);
			assert.equal(`${path} ${answer.status} ${answer.errorCode}`, `${path} ${dashboardErrors[code].status} ${code}`);
			assert.equal(answer.headers.getSetCookie().length, 0, 'a refusal sets no cookie');
			return answer;
		},
		/** Adds a passkey to the account. */
		async addPasskey(name = 'Laptop') {
			const passkey = softwarePasskey(publicUrl);
			const question = await this.ok('/account/passkeys/question', {});
			const response = passkey.create(question);
			const added = await this.ok('/account/passkeys', { act: randomUUID(), name, response });
			return { passkey, recoveryCodes: added.recovery_codes };
		},
		/** Adds one-time codes to the account, and returns their secret. */
		async addCodes(atMs = clock.nowMs()) {
			const { secret, setup } = await this.ok('/account/codes/setup', {});
			const made = await this.ok('/account/codes', { act: randomUUID(), setup, code: codeAt(secret, atMs) });
			return { secret, recoveryCodes: made.recovery_codes };
		},
		signIn: (email: string, password = PASSWORD, code?: string, options?: AskOptions) =>
			ask('/sign-in', { email, password, ...(code !== undefined && { code }) }, options),
		async signInWithPasskey(passkey: ReturnType<typeof softwarePasskey>, deviation = {}) {
			const question = await this.ok('/sign-in/passkey/question', {});
			return ask('/sign-in/passkey', { response: passkey.get(question, deviation) });
		},
	};
}

function cookiesOf({ cookie, known }: { readonly cookie?: string | undefined; readonly known?: string | undefined }) {
	const sent = [cookie, known].filter((each) => each !== undefined);
	return sent.length > 0 ? { cookie: sent.join('; ') } : {};
}

function queryText(query: object): string {
	const given = Object.entries(query).filter(([, value]) => value !== undefined);
	return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** The one-time code at a time, in Unix milliseconds. */
export function codeAt(secret: string, atMs: number): string {
	return generateSync({ secret, epoch: Math.floor(atMs / 1000) });
}

/** The hash under which the store keeps the session of a browser. */
export function sessionHashOf({ jar }: Browser): string {
	return hashSecret(jar.cookie?.split('=')[1] ?? '');
}
