import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ListedPerson, PresentPerson } from '@bursar/contract/dashboard';
import { actKindTexts, actsTexts } from '../../src/features/acts/texts.ts';
import { peopleTexts } from '../../src/features/people/texts.ts';
import { subUserTexts } from '../../src/features/sub-users/texts.ts';
import { teamTexts } from '../../src/features/team/texts.ts';
import { termsTexts } from '../../src/features/terms/texts.ts';
import { tokenTexts } from '../../src/features/token/texts.ts';
import { roleTexts } from '../../src/forms/texts.ts';
import { activityOfPath } from '../../src/page/paths.ts';
import { shellTexts } from '../../src/shell/texts.ts';
import { bandwidthOf } from '../support/bandwidth.ts';
import {
	ALICE,
	ANN,
	button,
	dialog,
	fireEvent,
	gone,
	OLGA,
	open,
	press,
	pressInDialog,
	screen,
	serviceFor,
	type,
	within,
} from '../support/dashboard.ts';

const OWN: ListedPerson = { email: ANN.email, role: 'owner', state: 'active', second_factor: true, last_seen: null };
const BEN: ListedPerson = { ...OWN, email: 'ben@acme.example', role: 'manager' };
const CYD: ListedPerson = { ...OWN, email: 'cyd@acme.example', role: 'viewer', state: 'invited' };
const VIEWER: PresentPerson = { ...ANN, role: 'viewer' };

/** The page of the team, for one of its people. */
function atTeam(t: TestContext, person = ANN) {
	const service = serviceFor(t, person);
	service.answers('/team', { people: [OWN, BEN, CYD] });
	open(t, '/team');
	return service;
}

test('an owner invites with a role, and the link is shown once', async (t) => {
	const service = atTeam(t);
	const link = 'http://localhost:8080/dashboard/invitation#secret-of-the-link';
	service.answers('/team/invite', {
		link,
		email: 'dan@acme.example',
		expires: '2099-01-01T00:00:00.000Z',
		mailing: 'mailed',
	});
	await press(teamTexts.invite);
	await dialog(teamTexts.invite);
	await type(peopleTexts.email, 'dan@acme.example');
	fireEvent.click(await screen.findByRole('radio', { name: roleTexts.names.viewer }));
	await pressInDialog(teamTexts.invite, peopleTexts.inviteNow);
	const shown = await dialog(peopleTexts.linkTitle);
	await within(shown).findByText(link);
	await within(shown).findByText(/^This link is also mailed to dan@acme\.example/);
	assert.deepEqual(
		service.calls('/team/invite').map(({ email, role }) => [email, role]),
		[['dan@acme.example', 'viewer']],
	);
});

test('an owner gives another role and removes a colleague, and the page shows it at once', async (t) => {
	const service = atTeam(t);
	const changed = { people: [OWN, { ...BEN, role: 'owner' as const }, CYD] };
	service.answers('/team/role', changed);
	await press(teamTexts.roleOne(BEN.email));
	fireEvent.click(await screen.findByRole('radio', { name: roleTexts.names.owner }));
	service.answers('/team', changed);
	await pressInDialog(teamTexts.roleOne(BEN.email), teamTexts.roleNow);
	await gone(roleTexts.names.manager);
	service.answers('/team/remove', { people: [OWN, CYD] });
	service.answers('/team', { people: [OWN, CYD] });
	await press(teamTexts.removeOne(BEN.email));
	await pressInDialog(teamTexts.removeTitle(BEN.email), teamTexts.removeNow);
	await gone(BEN.email);
	assert.deepEqual(
		[...service.calls('/team/role'), ...service.calls('/team/remove')].map(({ email, role }) => [email, role]),
		[
			[BEN.email, 'owner'],
			[BEN.email, undefined],
		],
	);
});

test('an owner cannot change the own role; only a person who was invited gets a new link', async (t) => {
	atTeam(t);
	await button(teamTexts.inviteAgainOne(CYD.email));
	for (const name of [
		teamTexts.roleOne(OWN.email),
		teamTexts.removeOne(OWN.email),
		teamTexts.inviteAgainOne(BEN.email),
	]) {
		assert.equal(screen.queryByRole('button', { name }), null, name);
	}
	await press(teamTexts.inviteAgainOne(CYD.email));
	await dialog(teamTexts.inviteAgainOne(CYD.email));
});

test('a viewer sees the team and what was done, is told why nothing can be changed, and is offered no change', async (t) => {
	const service = serviceFor(t, VIEWER);
	service.answers('/team', { people: [OWN, BEN, CYD] });
	open(t, '/team');
	await screen.findByText(teamTexts.onlyOwners);
	await screen.findByText(shellTexts.onlyReads);
	for (const name of [teamTexts.invite, teamTexts.roleOne(BEN.email), teamTexts.removeOne(BEN.email)]) {
		assert.equal(screen.queryByRole('button', { name }), null, name);
	}
});

test('a viewer of a sub-user is offered no key and no change', async (t) => {
	const service = serviceFor(t, VIEWER);
	service.answers('/sub-user', ALICE);
	service.answers('/bandwidth', bandwidthOf([]));
	service.answers('/statement', { today: null, movements: [], next_before: null, searched_to: null });
	open(t, '/sub-users/alice');
	await screen.findByText(termsTexts.limitsLead);
	for (const name of [
		...[subUserTexts.give, subUserTexts.take, subUserTexts.showKey, subUserTexts.resetKey],
		...[termsTexts.editNote, termsTexts.suspend, termsTexts.setLimits, termsTexts.delete],
	]) {
		assert.equal(screen.queryByRole('button', { name }), null, name);
	}
});

test('a manager cannot rotate the token, and the button says why', async (t) => {
	const service = serviceFor(t, { ...ANN, role: 'manager' });
	const made = '2026-01-01T00:00:00.000Z';
	const current = { tail: 'abcd', made, made_by: 'operator', last_used: null };
	service.answers('/token', { reseller: 'acme', api_url: 'http://localhost:8080', current, previous: null });
	open(t, '/token');
	const rotate = await button(tokenTexts.rotate);
	assert.equal(rotate.getAttribute('aria-disabled'), 'true');
	await screen.findByText(tokenTexts.onlyOwners);
	assert.equal(screen.queryByRole('button', { name: tokenTexts.endAll }), null);
});

test('the activity of a reseller names people, programs and the operator', async (t) => {
	const service = serviceFor(t, ANN);
	const by = {
		email: null,
		token_tail: null,
		by_operator: false,
		address: null,
		details: null,
		at: '2026-01-01T00:00:00.000Z',
	};
	service.answers('/activity', {
		acts: [
			{ ...by, number: 3, kind: 'top_up', target: 'acme 700', by_operator: true },
			{ ...by, number: 2, kind: 'reset_auth_key', target: 'alice', token_tail: 'wxyz' },
			{ ...by, number: 1, kind: 'set_role', target: 'ben@acme.example viewer', email: BEN.email },
		],
		next_before: null,
		searched_to: null,
	});
	open(t, '/activity');
	await screen.findByText(actsTexts.operator);
	await screen.findByText(actsTexts.program('wxyz'));
	await screen.findByText(`${actKindTexts.set_role}: ${BEN.email}, ${roleTexts.names.viewer}`);
	await screen.findByText(BEN.email);
});

test('the activity shows what changed, and the acts of one sub-user by an address that its page has', async (t) => {
	const service = serviceFor(t, ANN);
	const by = { email: ANN.email, token_tail: null, by_operator: false, address: null, at: '2026-01-01T00:00:00.000Z' };
	const details = { changed: { day_bytes: [null, 5e9], note: ['old', 'new'] } } as const;
	const act = { ...by, number: 1, kind: 'set_limits', target: 'alice', details } as const;
	service.answers('/activity', { acts: [act], next_before: null, searched_to: null });
	open(t, activityOfPath('alice'));
	await screen.findByText('Bandwidth of a day: 5 GB, before no limit');
	await screen.findByText('Note: “new”, before “old”');
	const field = await screen.findByLabelText(actsTexts.subUserFilter);
	assert.equal((field as HTMLInputElement).value, 'alice');
	assert.deepEqual(service.calls('/activity'), [{ username: 'alice' }]);
});

test('the activity of operators names the programs of theirs, and who was on the command line', async (t) => {
	const service = serviceFor(t, OLGA);
	const by = { email: null, token_tail: null, operator_token: null, system_user: null, reseller: 'acme' };
	const act = { ...by, by_operator: true, address: null, details: null, at: '2026-01-01T00:00:00.000Z' };
	service.answers('/operator/acts', {
		acts: [
			{ ...act, number: 2, kind: 'note_reseller', target: 'acme', operator_token: 'shop ...x4Kd' },
			{ ...act, number: 1, kind: 'resume_reseller', target: 'acme', system_user: 'root (ann)' },
		],
		next_before: null,
		searched_to: null,
	});
	open(t, '/activity');
	await screen.findByText('shop ...x4Kd');
	await screen.findByText(actsTexts.operatorProgram);
	await screen.findByText('root (ann)');
	await screen.findByText(actsTexts.commandLine);
});
