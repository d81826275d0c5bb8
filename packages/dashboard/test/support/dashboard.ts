// The whole dashboard in a test, before a service that the test speaks for.
import './browser.ts';
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
	type Overview,
	PAIR_STATES,
	type PresentPerson,
	type ResellerDetails,
	type ResellerSteps,
	type ServiceSteps,
	type ShownBrand,
	type SubUserDetails,
	type SubUserStates,
} from '@bursar/contract/dashboard';
import { bandwidthOf, NO_TOP } from './bandwidth.ts';
import { startService } from './service.ts';

const { cleanup, configure, fireEvent, render, screen, waitFor, within } = await import('@testing-library/react');
const { createElement } = await import('react');
const { App } = await import('../../src/app.tsx');

// Whether something is hidden is a question of layout, which only a browser has.
configure({ defaultHidden: true, asyncUtilTimeout: 30_000 });

export { cleanup, fireEvent, screen, waitFor, within };

export const ANN: PresentPerson = {
	email: 'ann@acme.example',
	reseller: 'acme',
	role: 'owner',
	proven_until: '2099-01-01T00:00:00.000Z',
	code_required: false,
	one_time_codes: false,
	has_passkey: false,
	second_factor_required: false,
};
export const OLGA: PresentPerson = {
	...ANN,
	email: 'olga@bursar.example',
	reseller: null,
	role: null,
	code_required: true,
};

/** No sub-user in any state. */
export const NO_STATES = Object.fromEntries(PAIR_STATES.map((state) => [state, 0])) as SubUserStates;

/** A sub-user without a balance, limits and a note. */
export const ALICE: SubUserDetails = {
	username: 'alice',
	balance: 0,
	reseller_balance: 0,
	price: null,
	created: '2026-05-03T09:30:00.000Z',
	state: 'active',
	opens: null,
	limits: {
		day_bytes: null,
		month_bytes: null,
		total_bytes: null,
		connections: null,
		bytes_per_second: null,
		allowed_ips: null,
		expires_at: null,
	},
	used: { day_bytes: 0, month_bytes: 0, total_bytes: 0, connections: null },
	sign_in_ips: [],
	sign_in_by_address: false,
	note: '',
	last_seen: null,
	refusals: [],
};

/** What a sub-user has used that has used nothing. */
export const NOTHING_USED = { day_bytes: 0, month_bytes: 0, total_bytes: 0 };

/** A reseller without a balance and a price. */
export const OVERVIEW: Overview = {
	...{ reseller: 'acme', balance: 0, low_balance: null, price: null },
	...{ debt: 0, debt_line: 500, pair: 'active' },
};

/** What operators see of a reseller. */
export const ACME: ResellerDetails = {
	...{
		reseller: 'acme',
		balance: 1000,
		debt: 0,
		debt_line: 500,
		pair: 'active',
		prices: [],
		suspended: null,
		sign_in_by_address: false,
		note: '',
	},
	created: '2026-01-01T00:00:00.000Z',
	tokens: {
		reseller: 'acme',
		api_url: 'http://localhost:8080',
		current: { tail: 'wxyz', made: '2026-01-01T00:00:00.000Z', made_by: 'operator', last_used: null },
		previous: null,
	},
	largest_top_up: null,
	people: [],
};

/** All that operators set up first is done. */
export const SERVICE_STEPS: ServiceSteps = {
	...{ second_way_in: true, backup: true, mail: true, reseller: true },
	...{ price: true, top_up: true, person: true, edge: true },
};

/** All that the people of a reseller do first is done. */
export const RESELLER_STEPS: ResellerSteps = {
	...{ sub_user: true, give: true, bytes: true, warning: true, warning_mail: true },
	...{ person: true, passkey: true, api: true },
};

/** A service at which this person is signed in, and at which nothing has happened yet. */
export function serviceFor(test: TestContext, person: PresentPerson | null) {
	const service = startService(test);
	service.answers('/session', presenceOf(person));
	service.answers('/letterhead', { legal_name: '', address: [], tax_number: '' });
	const [noPeriods, noMovements] = [
		{ begun: null, not_posted: 0, periods: [] },
		{ today: null, movements: [], next_before: null, searched_to: null },
	];
	if (person === null) return service;
	if (person.reseller === null) {
		service.answers('/operator/first-steps', SERVICE_STEPS);
		service.answers('/operator/bandwidth', bandwidthOf([]));
		service.answers('/operator/bandwidth/top', NO_TOP);
		service.answers('/operator/statement/periods', noPeriods);
		service.answers('/operator/statement', noMovements);
		return service;
	}
	service.answers('/suspension', { since: null });
	service.answers('/tokens', { tokens: [] });
	service.answers('/first-steps', RESELLER_STEPS);
	service.answers('/overview', OVERVIEW);
	service.answers('/sub-users', { sub_users: [], next: null, previous: null, price: null });
	service.answers('/sub-users/count', { count: 0, before: 0 });
	service.answers('/sub-users/states', NO_STATES);
	service.answers('/bandwidth', bandwidthOf([]));
	service.answers('/bandwidth/top', NO_TOP);
	service.answers('/statement/periods', noPeriods);
	service.answers('/statement', noMovements);
	return service;
}

/** How a service looks that no operator has changed. */
const OWN_BRAND: ShownBrand = { name: 'Bursar', color: null, logo: null };

export function presenceOf(person: PresentPerson | null, brand = OWN_BRAND) {
	return {
		person,
		public_url: window.location.origin,
		passkeys: false,
		sends_mail: true,
		takes_payments: false,
		brand,
	};
}

/** Opens the dashboard at an address below `/dashboard`, until the test ends. */
export function open(test: TestContext, address: string): void {
	test.after(cleanup);
	window.history.pushState(null, '', `/dashboard${address}`);
	render(createElement(App, { nonce: 'a nonce' }));
}

/** A button that shows this text or has it as its name. */
export function button(name: string): Promise<HTMLElement> {
	return screen.findByRole('button', { name });
}

export async function press(name: string): Promise<void> {
	fireEvent.click(await button(name));
}

export async function type(label: string, text: string): Promise<void> {
	fireEvent.change(await screen.findByLabelText(label, { selector: 'input, textarea, select' }), {
		target: { value: text },
	});
}

/** A dialog with this title. */
export function dialog(title: string): Promise<HTMLElement> {
	return screen.findByRole('dialog', { name: title });
}

/** Presses a button of the dialog that was opened last. */
export async function pressInDialog(title: string, name: string): Promise<void> {
	fireEvent.click(await within(await dialog(title)).findByRole('button', { name }));
}

/** Waits until nothing on the page says this. */
export async function gone(text: string): Promise<void> {
	// To compare an element would print all that it refers to.
	await waitFor(() => assert.ok(!screen.queryByText(text), `the page still says: ${text}`));
}
