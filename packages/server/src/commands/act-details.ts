import { type ActDetails, type ChangedValues, MAX_ACT_DETAILS_BYTES } from '@bursar/contract/act-details';
import { signInIp } from '@bursar/contract/sign-in-ips';
import type { Books, Effect } from '../domain/books.ts';
import type { TransferKind } from '../domain/ledger.ts';
import type { PersonEffect } from '../domain/people/person-effect.ts';
import type { PersonFacts } from '../domain/people/person-facts.ts';
import { limitsView, type TermsChange } from '../domain/terms.ts';
import { isFurther, type Token } from '../domain/token.ts';
import { hostOf, type WebhookChange } from '../domain/webhooks/webhook.ts';
import type { AnyDecision, AnyPersonDecision, Command } from './registry.ts';

/**
 * Gives the acts of a decision their details. They are read off its effects, and `books` are those before it: so an act
 * says what is committed with it, and no verb has to describe itself.
 */
export function withDetails(books: Books, command: Command, { outcome, effects }: AnyDecision): AnyDecision {
	if (!effects.some(isRecording)) return { outcome, effects };
	const isRefused = !outcome.ok && outcome.error === 'username_taken';
	const details = kept({
		...(isRefused && { refused: 'username_taken' }),
		...merged(effects.map((effect) => detailsOf(books, command.reseller, effect))),
	});
	return { outcome, effects: effects.map((effect) => (isRecording(effect) ? detailed(effect, details) : effect)) };
}

/** The same for acts about people and what goes with them. */
export function withPersonDetails(facts: PersonFacts, { outcome, effects }: AnyPersonDecision): AnyPersonDecision {
	if (!effects.some(isRecording)) return { outcome, effects };
	const details = kept(merged(effects.map((effect) => detailsOfPerson(facts, effect))));
	return { outcome, effects: effects.map((effect) => (isRecording(effect) ? detailed(effect, details) : effect)) };
}

type Recording = Extract<Effect, { readonly kind: 'record_act' }>;

function isRecording(effect: Effect | PersonEffect): effect is Recording {
	return effect.kind === 'record_act';
}

function detailed(effect: Recording, details: ActDetails | undefined): Recording {
	return details ? { ...effect, act: { ...effect.act, details } } : effect;
}

function merged(parts: readonly ActDetails[]): ActDetails {
	const changed = Object.assign({}, ...parts.map((part) => part.changed));
	return { ...Object.assign({}, ...parts), ...(Object.keys(changed).length > 0 && { changed }) };
}

function kept(details: ActDetails): ActDetails | undefined {
	const text = JSON.stringify(details);
	return text === '{}' || new TextEncoder().encode(text).length > MAX_ACT_DETAILS_BYTES ? undefined : details;
}

/** Those of usage and of debts only settle what was due before. */
const MOVING: readonly TransferKind[] = ['give', 'take', 'top_up', 'adjustment', 'debt_forgiven'];

function detailsOf(books: Books, reseller: string, effect: Effect): ActDetails {
	switch (effect.kind) {
		case 'transfer': {
			const { kind, amountCents } = effect.transfer;
			if (kind === 'create_fee') return { fee: amountCents };
			return MOVING.includes(kind) ? { moved: amountCents } : {};
		}
		case 'change_terms':
			return { changed: changedTerms(books, effect.change) };
		case 'set_sign_in': {
			const ipsOf = (addresses: readonly string[]) => (addresses.length === 0 ? null : addresses.map(signInIp));
			const before = books.signInAddressesOf(effect.account);
			return { changed: { sign_in_ips: [ipsOf(before), ipsOf(effect.account.addresses)] } };
		}
		case 'allow_sign_in': {
			const [before, after] = [!effect.isAllowed, effect.isAllowed].map((isAllowed) => (isAllowed ? 'on' : 'off'));
			return { changed: { sign_in_by_address: [before as 'on' | 'off', after as 'on' | 'off'] } };
		}
		case 'set_price': {
			const before = books.priceOf(reseller)?.microUsdPerGb ?? null;
			return { changed: { price: [before, effect.price.microUsdPerGb] } };
		}
		case 'set_debt_line':
			return { changed: { debt_line: [books.debtOf(reseller).lineCents, effect.cents] } };
		case 'replace_tokens':
			return namesOfTokens(books.tokensOf(reseller), effect.tokens);
		case 'change_webhook':
			return detailsOfWebhook(books, effect.change);
		case 'write_payment':
			return effect.isNew ? { names: [effect.payment.id] } : {};
		case 'note_movement':
			return { reason: effect.note.note };
		case 'record_top_up':
			return effect.topUp.reason === '' ? {} : { reason: effect.topUp.reason };
		default:
			return {};
	}
}

function changedTerms(books: Books, { reseller, username, terms }: TermsChange): ChangedValues {
	const old = books.termsOf({ reseller, username });
	const limits = limitsView(terms.limits);
	const changed = Object.entries(limitsView(old.limits)).flatMap(([name, before]) => {
		const after = limits[name as keyof typeof limits];
		return JSON.stringify(before) === JSON.stringify(after) ? [] : [[name, [before, after]]];
	});
	const noteName = username === reseller ? 'operator_note' : 'note';
	return {
		...Object.fromEntries(changed),
		...(old.note !== terms.note && { [noteName]: [old.note || null, terms.note || null] }),
	};
}

/** The further tokens that were made; if none was, those that were ended. */
function namesOfTokens(before: readonly Token[], after: readonly Token[]): ActDetails {
	const missingIn = (some: readonly Token[], others: readonly Token[]) =>
		some.filter(isFurther).filter(({ hash }) => !others.some((other) => other.hash === hash));
	const made = missingIn(after, before);
	const named = made.length > 0 ? made : missingIn(before, after);
	return named.length === 0 ? {} : { names: named.map(({ further }) => further.name) };
}

/** A webhook is named by its host: the rest of its URL may have a secret. */
function detailsOfWebhook(books: Books, change: WebhookChange): ActDetails {
	if (change.what === 'added') return { names: [hostOf(change.webhook.url)] };
	const { id, reseller } = change.webhook;
	const before = books.webhooksOf(reseller).find((webhook) => webhook.id === id);
	if (!before) return {};
	const names = [hostOf(before.url)];
	if (change.what !== 'changed') return { names };
	const { url, types, offReason } = change.set;
	const stateOf = (reason: string | null) => (reason === null ? 'on' : 'off');
	const changed: ChangedValues = {
		...(url !== undefined && url !== before.url && { webhook_host: [hostOf(before.url), hostOf(url)] }),
		...(types !== undefined &&
			JSON.stringify(types) !== JSON.stringify(before.types) && { webhook_types: [before.types, types] }),
		...(offReason !== undefined && { webhook_state: [stateOf(before.offReason), stateOf(offReason)] }),
	};
	return { names, changed };
}

function detailsOfPerson({ record, lowBalanceCents }: PersonFacts, effect: PersonEffect): ActDetails {
	switch (effect.kind) {
		case 'change_person': {
			const [before, after] = [record?.person.role ?? null, effect.person.role];
			return before === after ? {} : { changed: { role: [before, after] } };
		}
		case 'set_low_balance':
			return { changed: { low_balance: [lowBalanceCents, effect.lowBalanceCents] } };
		case 'correct_usage': {
			const { bytesUp: up, bytesDown: down, reason } = effect.correction;
			return { bytes: { up, down }, reason };
		}
		default:
			return {};
	}
}
