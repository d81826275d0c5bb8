import { type DashboardChanges, type DashboardReads, needsProof } from '@bursar/contract/dashboard';
import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify';
import { jsonBodyOf } from '../server/body.ts';
import { sendData } from '../server/envelope.ts';
import { type BodyOf, bodyCheck } from './bodies.ts';
import type { PersonsQuestion, Question, Reply } from './question.ts';
import { sendRefusal } from './refusals.ts';
import { type PersonNeeds, requireSession } from './require-session.ts';
import type { Sessions } from './sessions.ts';

/** Declares the calls of the contract: each with who may ask it, and how it is answered. */
export interface Calls {
	/** A read for everybody. */
	openRead<Path extends keyof DashboardReads>(path: Path, answer: Answer<Question, DashboardReads[Path]>): void;
	/** A change for everybody. */
	openChange<Path extends keyof DashboardChanges>(path: Path, answer: ChangeAnswer<Question, Path>): void;
	read<Path extends keyof DashboardReads>(
		path: Path,
		needs: PersonNeeds,
		answer: Answer<PersonsQuestion, DashboardReads[Path]>,
	): void;
	change<Path extends keyof DashboardChanges>(
		path: Path,
		needs: PersonNeeds,
		answer: ChangeAnswer<PersonsQuestion, Path>,
	): void;
	/** The methods of each declared path, as in the `Allow` header. */
	readonly methods: ReadonlyMap<string, string>;
}

type Answer<Asked, Call extends { answer: unknown }> = (question: Asked) => Promise<Reply<Call['answer']>>;
type ChangeAnswer<Asked, Path extends keyof DashboardChanges> = (
	body: BodyOf<Path>,
	question: Asked,
) => Promise<Reply<DashboardChanges[Path]['answer']>>;

interface CallDependencies {
	readonly sessions: Pick<Sessions, 'find'>;
	readonly nowMs: () => number;
}

export function createCalls(app: FastifyInstance, dependencies: CallDependencies): Calls {
	const { nowMs } = dependencies;
	const methods = new Map<string, string>();

	function send(reply: FastifyReply, answer: Reply<unknown>): FastifyReply {
		return 'refused' in answer ? sendRefusal(reply, answer, nowMs()) : sendData(reply, answer.data, nowMs());
	}

	function read(path: string, onRequest: Hooks, answer: (question: Question) => Promise<Reply<unknown>>): void {
		methods.set(path, 'GET, HEAD');
		app.get(path, { onRequest }, async (request, reply) => send(reply, await answer({ request, reply })));
	}

	function change<Path extends keyof DashboardChanges>(
		path: Path,
		onRequest: Hooks,
		answer: ChangeAnswer<Question, Path>,
	): void {
		methods.set(path, 'POST');
		const check = bodyCheck(path);
		app.post(path, { onRequest }, async (request, reply) => {
			const body = jsonBodyOf(request, { lenient: false });
			if ('refused' in body) return send(reply, body);
			if (!check.Check(body.value)) return send(reply, { refused: 'invalid_request' });
			return send(reply, await answer(body.value as BodyOf<Path>, { request, reply }));
		});
	}

	return {
		openRead: (path, answer) => read(path, [], answer),
		openChange: (path, answer) => change(path, [], answer),
		read: (path, needs, answer) =>
			read(path, [requireSession(dependencies, needs)], (question) => answer(withAsker(question))),
		change: (path, needs, answer) =>
			change(path, [requireSession(dependencies, { ...needs, proof: needsProof(path) })], (body, question) =>
				answer(body, withAsker(question)),
			),
		methods,
	};
}

type Hooks = Extract<RouteOptions['onRequest'], readonly unknown[]>;

function withAsker(question: Question): PersonsQuestion {
	const { asker } = question.request;
	if (!asker) throw new Error('a call for people was reached without a session');
	return { ...question, asker };
}
