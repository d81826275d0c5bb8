import type { ActKind, Found, MovementKind } from '@bursar/contract/dashboard';
import { SEARCH_HITS } from '@bursar/contract/dashboard';
import type { ErrorCode } from '@bursar/contract/errors';
import { PAYMENT_PROVIDERS } from '@bursar/contract/payments';
import { OPERATORS } from '../../../store/reading.ts';
import type { FoundMovement } from '../../../store/tables/ledger/search.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Asked } from './asked.ts';

export type SearchStore = DashboardDependencies['store'];
type Hits<Kind extends keyof Found> = Pick<Found, Kind>;

/** What a request or a change did. `reseller` is whose it may be; `null`: of any reseller. */
export async function findTraces(
	store: SearchStore,
	{ requestId, changeId, movement }: Asked,
	reseller: string | null,
): Promise<Hits<'movements' | 'acts' | 'changes'>> {
	const isOwnNumber = reseller === null || movement?.reseller === undefined || movement.reseller === reseller;
	const numbered =
		movement && isOwnNumber
			? await store.findMovementsByNumber(reseller ?? movement.reseller ?? null, movement.number, SEARCH_HITS)
			: [];
	const changes = changeId === undefined ? [] : await store.findChangesById(reseller, changeId, SEARCH_HITS);
	// The id of a request may have been chosen as the id of a change.
	const requests = [...(requestId === undefined ? [] : [requestId]), ...changes.map((change) => change.requestId)];
	const traces = await Promise.all(
		requests.map(async (id) => ({
			id,
			movements: await store.findMovementsOfRequest(reseller, id, SEARCH_HITS),
			acts: await store.findActsOfRequest(reseller, id, SEARCH_HITS),
		})),
	);
	const withTraces = new Set(
		traces.filter(({ movements, acts }) => movements.length + acts.length > 0).map(({ id }) => id),
	);
	const forgotten =
		reseller !== null && changeId !== undefined && changes.length === 0
			? await store.findMovementsOfChange(reseller, changeId, SEARCH_HITS)
			: [];
	return {
		movements: [...numbered, ...traces.flatMap(({ movements }) => movements), ...forgotten]
			.map(movementHit)
			.slice(0, SEARCH_HITS),
		acts: traces
			.flatMap(({ acts }) => acts)
			.map(({ number, kind, target, reseller: whose, atMs }) => {
				return { number, kind: kind as ActKind, target, reseller: whose, at: time(atMs) };
			})
			.slice(0, SEARCH_HITS),
		changes: changes
			.filter((change) => !withTraces.has(change.requestId))
			.map(({ reseller: whose, username, error, atMs }) => {
				return { reseller: whose, username, error: error as ErrorCode | null, at: time(atMs) };
			}),
	};
}

/** Payments and references. References of one reseller are also found by a part, among the newest movements. */
export async function findReferences(
	store: SearchStore,
	{ exact, part, reference }: Asked,
	reseller: string | null,
): Promise<Hits<'payments' | 'references' | 'looked_at'>> {
	const payments = (await store.findPayments(reseller, exact, SEARCH_HITS)).map((payment) => {
		return { ...movementHit(payment), reference: payment.reference };
	});
	if (reseller === null) {
		const references = reference === undefined ? [] : await store.listReferences(reference, SEARCH_HITS);
		return { payments, references, looked_at: {} };
	}
	if (reference === undefined) return { payments, references: [], looked_at: {} };
	const [isExact, { references, lookedAt }] = await Promise.all([
		store.hasReference(reseller, reference),
		store.searchReferences({ reseller, text: part, limit: SEARCH_HITS }),
	]);
	const found = new Set([...(isExact ? [reference] : []), ...references]);
	return {
		payments,
		references: [...found].slice(0, SEARCH_HITS).map((each) => ({ reference: each, reseller })),
		looked_at: lookedAt === null ? {} : { movements: lookedAt },
	};
}

/** Payments through providers, by our id or by one of the provider. */
export async function findTopUps(
	store: SearchStore,
	{ payment: id }: Asked,
	reseller: string | null,
): Promise<Hits<'top_ups'>> {
	if (id === undefined) return { top_ups: [] };
	const owner = reseller ?? OPERATORS;
	const named = PAYMENT_PROVIDERS.map((provider) =>
		store.findPaymentsNamed({ provider, paymentId: id, objectIds: [id], owner }),
	);
	const keys = (await Promise.all(named)).flat().filter((key) => reseller === null || key.reseller === reseller);
	const payments = await Promise.all(keys.slice(0, SEARCH_HITS).map((key) => store.findPayment(key.id, owner)));
	return {
		top_ups: payments.flatMap((payment) => {
			if (!payment) return [];
			const { reseller: whose, provider, amountCents, createdAtMs } = payment;
			return { id: payment.id, reseller: whose, provider, amount: amountCents, at: time(createdAtMs) };
		}),
	};
}

/** Whether something was done from an address, as far back as one step looks. */
export async function findAddress(
	store: SearchStore,
	{ address }: Asked,
	reseller: string | null,
): Promise<Hits<'address' | 'looked_at'>> {
	if (address === undefined) return { address: null, looked_at: {} };
	const { isKnown, lookedAt } = await store.findAddress(reseller, address);
	return { address: isKnown ? address : null, looked_at: lookedAt === null ? {} : { acts: lookedAt } };
}

function movementHit({ reseller, number, kind, atMs }: FoundMovement): Found['movements'][number] {
	return { reseller, number, kind: kind as MovementKind, at: time(atMs) };
}
