import type { GiveBalance, TakeBalance } from '../../../commands/money/give-take.ts';
import type { Command, Outcome } from '../../../commands/registry.ts';
import type { Program } from '../../../domain/people/act.ts';
import type { BatchAnswer } from '../../store.ts';

/**
 * Commands on their way to the thread that writes. A copy between threads pays for each object and for each name in it.
 * So a give or a take is nine values in a row, the first of which is a number: the index of its kind in `MOVEMENTS`, the
 * reseller, the username, the amount, the request id, its own id, its reference, and the token's tail and the address of its
 * program. It carries no expiry, which was judged before. Commands with an act or a note, and others, stay as they are. With
 * the ways in which balances are read and ledger rows are written, this took the writer thread from 31.1 to 26.3 us a command
 * (docs/decisions/0042-processor-time.md).
 */
export type PackedCommands = readonly (number | string | undefined | Command)[];

/** The balance after a give or a take. Other outcomes stay as they are. */
export type PackedOutcome = number | Outcome;

type Movement = GiveBalance | TakeBalance;
const MOVEMENTS: readonly Movement['kind'][] = ['give_balance', 'take_balance'];

/** Sends commands to the other thread, and takes their outcomes. */
export async function sendPacked(
	commands: readonly Command[],
	send: (packed: PackedCommands) => Promise<BatchAnswer<PackedOutcome>>,
): Promise<BatchAnswer<Outcome>> {
	const answer = await send(packCommands(commands));
	return answer.kind === 'committed' ? { ...answer, results: unpackOutcomes(commands, answer.results) } : answer;
}

/** Runs commands from the other thread, and answers with their outcomes. */
export function receivePacked(
	packed: PackedCommands,
	run: (commands: readonly Command[]) => BatchAnswer<Outcome>,
): BatchAnswer<PackedOutcome> {
	const commands = unpackCommands(packed);
	const answer = run(commands);
	return answer.kind === 'committed' ? { ...answer, results: packOutcomes(commands, answer.results) } : answer;
}

function packCommands(commands: readonly Command[]): PackedCommands {
	const packed: (number | string | undefined | Command)[] = [];
	for (const command of commands) {
		if (!isMovement(command) || command.act || command.note !== undefined) packed.push(command);
		else {
			const { kind, reseller, username, amountCents, requestId, changeId, reference, program } = command;
			packed.push(MOVEMENTS.indexOf(kind), reseller, username, amountCents, requestId, changeId, reference);
			packed.push(program?.tokenTail, program?.address);
		}
	}
	return packed;
}

function unpackCommands(packed: PackedCommands): Command[] {
	const commands: Command[] = [];
	for (let index = 0; index < packed.length; index++) {
		const first = packed[index];
		if (typeof first === 'number') {
			commands.push({
				kind: MOVEMENTS[first] as Movement['kind'],
				reseller: packed[++index] as string,
				username: packed[++index] as string,
				amountCents: packed[++index] as number,
				requestId: packed[++index] as string,
				...changeIdOf(packed[++index] as string | undefined),
				...referenceOf(packed[++index] as string | undefined),
				...programOf(packed[++index] as string | undefined, packed[++index] as string | undefined),
			});
		} else commands.push(first as Command);
	}
	return commands;
}

function changeIdOf(changeId: string | undefined): { readonly changeId?: string } {
	return changeId === undefined ? {} : { changeId };
}

function referenceOf(reference: string | undefined): { readonly reference?: string } {
	return reference === undefined ? {} : { reference };
}

function programOf(tokenTail: string | undefined, address: string | undefined): { readonly program?: Program } {
	return tokenTail === undefined || address === undefined ? {} : { program: { tokenTail, address } };
}

function packOutcomes(commands: readonly Command[], outcomes: readonly Outcome[]): PackedOutcome[] {
	return outcomes.map((outcome, index) => {
		const isMoved = outcome.ok && 'balanceCents' in outcome && isMovement(commands[index] as Command);
		return isMoved ? outcome.balanceCents : outcome;
	});
}

/** The commands are those that were sent. */
function unpackOutcomes(commands: readonly Command[], packed: readonly PackedOutcome[]): Outcome[] {
	return packed.map((outcome, index) => {
		if (typeof outcome !== 'number') return outcome;
		return { ok: true, username: (commands[index] as Movement).username, balanceCents: outcome };
	});
}

function isMovement(command: Command): command is Movement {
	return command.kind === 'give_balance' || command.kind === 'take_balance';
}
