import type { PersonFacts } from '../domain/people/person-facts.ts';
import { withPersonDetails } from './act-details.ts';
import { resellerOf } from './person-verb.ts';
import { type AnyPersonDecision, type PersonCommand, personVerbOf } from './registry.ts';

/**
 * The rules about people: decides one command. Pure. `facts` are what its verb needs. `nowMs` is in Unix milliseconds.
 * Throws only if the input is impossible.
 */
export function decidePerson(facts: PersonFacts, command: PersonCommand, nowMs: number): AnyPersonDecision {
	return withPersonDetails(facts, decideWithAct(facts, command, nowMs));
}

function decideWithAct(facts: PersonFacts, command: PersonCommand, nowMs: number): AnyPersonDecision {
	const { outcome, effects } = personVerbOf(command).decide(facts, command, nowMs);
	const act = 'unattended' in command ? command.unattended : undefined;
	// A verb records by itself what a program does. On the command line, what changes nothing was not done.
	if (!act || 'operatorToken' in act || effects.length === 0) return { outcome, effects };
	const reseller = resellerOf(facts, 'reseller' in command ? command : {});
	return { outcome, effects: [...effects, { kind: 'record_act', act: { ...act, reseller, atMs: nowMs } }] };
}
