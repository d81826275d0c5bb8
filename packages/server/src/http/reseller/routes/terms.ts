import { allEndpoints, type SubUserDetails } from '@bursar/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OutcomeOf, WithoutAct } from '../../../commands/registry.ts';
import type { DeleteSubUser } from '../../../commands/sub-users/delete.ts';
import type { SetLimits } from '../../../commands/sub-users/set-limits.ts';
import type { SetNote } from '../../../commands/sub-users/set-note.ts';
import type { SetSignInIps } from '../../../commands/sub-users/set-sign-in-ips.ts';
import type { ResumeSubUser, SuspendSubUser } from '../../../commands/sub-users/suspend.ts';
import { limitsView, stateOf } from '../../../domain/terms.ts';
import { answerWith } from '../../server/answers.ts';
import { sendData, sendFailure } from '../../server/envelope.ts';
import { usableView } from '../../sub-user-limits.ts';
import { readRefusals } from '../../sub-user-refusals.ts';
import { askingProgram } from '../asking-program.ts';
import type { ResellerDependencies } from '../dependencies.ts';
import { sendRefusal } from '../refusals.ts';
import { type Intake, type Refused, readSubUserChange, readSubUserRequest } from '../sub-user-request.ts';
import { readLimitsRequest, readNoteRequest, readSignInIpsRequest } from '../terms-requests.ts';
import { detailsView } from '../terms-views.ts';

type TermsCommand = SuspendSubUser | ResumeSubUser | SetLimits | SetNote | SetSignInIps | DeleteSubUser;
type Succeeded<C extends TermsCommand> = Extract<OutcomeOf<C>, { readonly ok: true }>;
/** What the body of a request says of its command. */
type Wanted<C extends TermsCommand> = Omit<
	C,
	'reseller' | 'requestId' | 'expiresAtMs' | 'changeId' | 'act' | 'program' | 'kind'
>;

/** Suspends, limits, notes and deletes sub-users, sets from where they sign in, and shows their details. */
export function termsRoutes(
	app: FastifyInstance,
	dependencies: Pick<ResellerDependencies, 'store' | 'bank' | 'addressOf' | 'nowMs' | 'lenient'>,
): void {
	const { store, bank, addressOf, nowMs } = dependencies;

	function change<C extends TermsCommand>(
		path: string,
		kind: C['kind'],
		read: (request: FastifyRequest, intake: Intake) => Wanted<C> | Refused,
		view: (outcome: Succeeded<C>) => unknown,
	): void {
		app.post(path, (request, reply) => {
			const wanted = read(request, dependencies);
			if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
			const { reseller, id: requestId, expiresAtMs, changeId } = request;
			const program = askingProgram(request, addressOf);
			const command = {
				kind,
				reseller,
				requestId,
				expiresAtMs,
				changeId,
				program,
				...wanted,
			} as unknown as WithoutAct<TermsCommand>;
			answerWith(reply, bank.submit(command), (outcome) => {
				if (!outcome.ok) return sendRefusal(request, reply, outcome, dependencies);
				return sendData(reply, view(outcome as Succeeded<C>), nowMs());
			});
		});
	}

	const state = ({ username, terms }: Succeeded<SuspendSubUser>) => {
		const { suspendedAtMs, limits } = terms;
		return { username, state: stateOf({ suspendedAtMs, expiresAtMs: limits.expiresAtMs }, nowMs()) };
	};
	change<SuspendSubUser>(allEndpoints.suspendSubUser.path, 'suspend_sub_user', readSubUserChange, state);
	change<ResumeSubUser>(allEndpoints.resumeSubUser.path, 'resume_sub_user', readSubUserChange, state);
	change<SetLimits>(allEndpoints.setLimits.path, 'set_limits', readLimitsRequest, ({ username, terms }) => {
		return { username, limits: limitsView(terms.limits) };
	});
	change<SetNote>(allEndpoints.setNote.path, 'set_note', readNoteRequest, ({ username, terms }) => {
		return { username, note: terms.note };
	});
	change<SetSignInIps>(allEndpoints.setSignInIps.path, 'set_sign_in_ips', readSignInIpsRequest, (outcome) => {
		return { username: outcome.username, sign_in_ips: outcome.signInIps };
	});
	change<DeleteSubUser>(allEndpoints.deleteSubUser.path, 'delete_sub_user', readSubUserChange, (outcome) => {
		return { username: outcome.username, amount_usd_cents: outcome.returnedCents };
	});

	app.post(allEndpoints.viewDetails.path, (request: FastifyRequest, reply: FastifyReply) => {
		const wanted = readSubUserRequest(request, dependencies);
		if ('refused' in wanted) return void sendFailure(reply, wanted.refused, nowMs(), wanted.message);
		answerWith(reply, readDetails(request.reseller, wanted.username), (details) =>
			details ? sendData(reply, details, nowMs()) : sendFailure(reply, 'unknown_sub_user', nowMs()),
		);
	});

	async function readDetails(reseller: string, username: string): Promise<SubUserDetails | undefined> {
		const atMs = nowMs();
		const [details, pairs, refusals] = await Promise.all([
			store.findDetails(reseller, username),
			store.readPairBounds({ reseller, usernames: [username], atMs }),
			readRefusals(store, { owner: reseller, username, nowMs: atMs }),
		]);
		const bounds = pairs.get(username);
		// Without one of them, it was deleted meanwhile.
		return details && bounds && detailsView(details, { usable: usableView(bounds, atMs), refusals });
	}
}
