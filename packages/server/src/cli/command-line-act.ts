import { actOf, type Done } from '../commands/act-of.ts';
import type { Command, PersonCommand } from '../commands/registry.ts';
import { newId } from '../credentials.ts';
import type { CommandLineAct } from '../domain/people/act.ts';
import { systemUser } from './system-user.ts';

/** What is recorded of something that the operator does on the command line. */
export function commandLineAct({ kind, target }: Done, requestId: string): CommandLineAct {
	return { id: newId(), kind, target, requestId, systemUser: systemUser() };
}

/** What is recorded of a command; `undefined` if only people or programs give it. */
export function actOfCommand(command: Command | PersonCommand, requestId: string): CommandLineAct | undefined {
	const done = actOf(command);
	return done && commandLineAct(done, requestId);
}
