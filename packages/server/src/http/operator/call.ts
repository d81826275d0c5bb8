import type { FastifyRequest } from 'fastify';
import type { Bank } from '../../bank/bank.ts';
import { actOf } from '../../commands/act-of.ts';
import type { Command, OutcomeOf, PersonCommand, PersonOutcomeOf } from '../../commands/registry.ts';
import { recordedName } from '../../domain/operators/operator-token.ts';
import type { OperatorProgramAct } from '../../domain/people/act.ts';
import type { AskedTopUp, TopUpOutcome, TopUps } from '../../payments/top-ups.ts';
import type { ClientAddresses } from '../server/client-address.ts';
import { tokenOf } from './require-token.ts';

/** A call that a program of the operator has made. The commands that it gives are recorded as acts of its token. */
export interface Call {
	readonly requestId: string;
	/** The token that asks, as acts name it. */
	readonly by: string;
	/** Gives a command about accounts. */
	submit<Kind extends Command['kind']>(
		command: Given<Kind, CommandOf<Kind>, 'requestId' | 'expiresAtMs' | 'act'>,
	): Promise<OutcomeOf<CommandOf<Kind>>>;
	/** Begins a payment of a reseller through a provider. */
	beginTopUp(asked: Pick<AskedTopUp, 'reseller' | 'provider' | 'amountCents'>): Promise<TopUpOutcome>;
	/** Gives a command about people, edges or corrections. */
	changePerson<Kind extends PersonCommand['kind']>(
		command: Given<Kind, PersonCommandOf<Kind>, 'unattended'>,
	): Promise<PersonOutcomeOf<PersonCommandOf<Kind>>>;
}

type CommandOf<Kind> = Extract<Command, { readonly kind: Kind }>;
type PersonCommandOf<Kind> = Extract<PersonCommand, { readonly kind: Kind }>;
/** A command, without what the call says of itself. */
type Given<Kind, C, OfCall extends string> = { readonly kind: Kind } & Omit<C, 'kind' | OfCall>;

interface CallDependencies {
	readonly bank: Pick<Bank, 'submit' | 'changePerson'>;
	readonly topUps: Pick<TopUps, 'begin'>;
	readonly addressOf: ClientAddresses;
}

export function callOf(request: FastifyRequest, { bank, topUps, addressOf }: CallDependencies): Call {
	const { id: requestId, expiresAtMs, changeId } = request;
	const by = recordedName(tokenOf(request));

	/** Its id is that of the change, so that a repeat is refused. */
	function recorded(command: Command | PersonCommand): OperatorProgramAct {
		const done = actOf(command);
		if (!done) throw new Error(`no act is recorded of ${command.kind}`);
		const address = addressOf(request.raw).text;
		return { id: actId(changeId ?? requestId), ...done, requestId, operatorToken: by, address };
	}

	return {
		requestId,
		by,
		// The bank answers each command with an outcome of its kind.
		submit: ((given: object) => {
			const command = { ...given, requestId, expiresAtMs } as Command;
			return bank.submit({ ...command, act: recorded(command) });
		}) as Call['submit'],
		beginTopUp(asked) {
			const act = recorded({ kind: 'create_top_up', ...asked } as Command);
			return topUps.begin({ ...asked, requestId, expiresAtMs, act });
		},
		changePerson: ((given: PersonCommand) =>
			bank.changePerson({ ...given, unattended: recorded(given) } as PersonCommand)) as Call['changePerson'],
	};
}

/** The id of the act of a change. Change ids of the operator are no ids that a page could make. */
export function actId(changeId: string): string {
	return `operator:${changeId}`;
}
