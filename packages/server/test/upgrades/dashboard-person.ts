import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { type Answer, call } from '@bursar/testing/api';
import { generateSync } from 'otplib';

/** A person at the dashboard of a service without a public URL. */
export function dashboardPerson(url: string) {
	const origin = `http://localhost:${new URL(url).port}`;
	let cookies: readonly string[] = [];

	async function ask(path: string, body: object): Promise<Answer> {
		const answer = await call(url, DASHBOARD_API + path, { body, headers: { origin, cookie: cookies.join('; ') } });
		const set = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] as string);
		if (set.length > 0) cookies = set;
		return answer;
	}

	/** The data of a change that must succeed. */
	async function change(path: string, body: object = {}) {
		const answer = await ask(path, { act: randomUUID(), ...body });
		assert.equal(answer.status, 200, `${path}: ${answer.errorCode}`);
		return answer.data;
	}

	return {
		change,
		signIn: (email: string, password: string, code: string) => ask('/sign-in', { email, password, code }),
		/** Accepts an invitation or claims the service, and sets up one-time codes. */
		async accept(link: string, chosen: { readonly password: string; readonly email?: string }) {
			const accepted = await ask('/invitation/accept', { link: new URL(link).hash.slice(1), ...chosen });
			assert.equal(accepted.status, 200, `the invitation was not accepted: ${accepted.errorCode}`);
			const asked = await ask('/account/codes/setup', {});
			const { secret, setup } = asked.data;
			const made = await change('/account/codes', { setup, code: codeNow(secret) });
			return { codesSecret: secret as string, recoveryCodes: made.recovery_codes as readonly string[] };
		},
	};
}

/** The present one-time code of a secret. */
export function codeNow(secret: string): string {
	return generateSync({ secret });
}
